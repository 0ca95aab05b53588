#!/usr/bin/env bash
# fetch.sh: unpacks the wheel of wheels.txt into build/, and writes a program for each browser of browsers.txt.
set -euo pipefail
cd "$(dirname "$0")"
python=${PYTHON:-/usr/bin/python3}

if ! cmp -s wheels.txt build/wheels.txt; then
    work=$(mktemp -d)
    trap 'rm -rf "$work"' EXIT
    # The same wheel whatever Python this is: it is opened as a library, and never imported.
    "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
        --implementation cp --python-version 3.11 --abi abi3 --platform manylinux2014_x86_64 \
        --dest "$work" --requirement wheels.txt
    rm -rf build
    "$python" -m zipfile -e "$work"/*.whl build
    cp wheels.txt build/
fi
while read -r name _; do
    [[ $name == \#* || $name != cffi-* ]] && continue
    printf '#!/bin/sh\nexec "${0%%/*}/browser.py" %s\n' "$name" > "probe-transport-$name"
    chmod +x "probe-transport-$name"
done < browsers.txt
