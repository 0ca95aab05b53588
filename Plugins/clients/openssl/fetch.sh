#!/usr/bin/env bash
# fetch.sh: unpacks each OpenSSL of wheels.txt in a folder of its own below build/, and writes a program for it.
set -euo pipefail
cd "$(dirname "$0")"
python=${PYTHON:-/usr/bin/python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

while read -r version wheel hash file; do
    [[ $version == \#* ]] && continue
    name=openssl-${version//./-}
    if [ ! -e "build/$version/$file" ]; then
        echo "$wheel --hash=sha256:$hash" > "$work/requirements"
        # The same wheel whatever Python this is: it is opened as a library, and never imported.
        "$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
            --implementation cp --python-version 3.11 --abi cp311 --abi abi3 \
            --platform manylinux2014_x86_64 --platform manylinux2010_x86_64 \
            --dest "$work/$version" --requirement "$work/requirements"
        mkdir -p "$work/$version/unpacked" build
        "$python" -m zipfile -e "$work/$version"/*.whl "$work/$version/unpacked"
        rm -rf "build/$version"
        mv "$work/$version/unpacked" "build/$version"
    fi
    ln -sfn "$version/$file" "build/$name.so"
    printf '#!/bin/sh\nexec "${0%%/*}/shipped.py" %s\n' "$name" > "probe-transport-$name"
    chmod +x "probe-transport-$name"
done < wheels.txt
