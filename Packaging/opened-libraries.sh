#!/bin/sh
# opened-libraries.sh PROGRAM: the libraries that the program opens by itself when a backend is asked, a line each. They are not
# among those that the loader opens, so tools that ask it do not see them; the program names them in notes of its own.
set -eu
readelf --string-dump=.note.dlopen "$1" | sed -n 's/.*"soname":\["\([^"]*\)"\].*/\1/p'
