#!/usr/bin/env bash
# strip-symbols.sh PROGRAM: moves the program's symbols into PROGRAM.debug beside it, where debuggers look for them.
set -euo pipefail
cd "$(dirname "$1")"
name=$(basename "$1")

# A program that has a link to its symbols has none left to move.
if readelf -S --wide "$name" | grep -q '\.gnu_debuglink'; then exit; fi
objcopy --only-keep-debug "$name" "$name.debug"
objcopy --strip-all --add-gnu-debuglink="$name.debug" "$name"
