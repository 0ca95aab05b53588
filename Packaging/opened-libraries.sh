#!/bin/sh
# opened-libraries.sh PROGRAM: the libraries that the program opens by itself when a backend is asked, a line each. They are not
# among those that the loader opens, so tools that ask it do not see them; the program names them in notes of its own.
set -eu
notes=$(readelf --string-dump=.note.dlopen "$1")
libraries=$(echo "$notes" | sed -n 's/.*"soname":\["\([^"]*\)"\].*/\1/p')
[ -n "$libraries" ] || { echo "opened-libraries.sh: $1 names no library" >&2; exit 1; }
echo "$libraries"
