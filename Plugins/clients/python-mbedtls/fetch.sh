#!/usr/bin/env bash
# fetch.sh: unpacks the wheels of wheels.txt into build/, beside whatever Python has installed, and writes the program.
set -euo pipefail
cd "$(dirname "$0")"
python=${PYTHON:-/usr/bin/python3}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

"$python" -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all: --require-hashes \
    --implementation cp --python-version 3.11 --abi cp311 --platform manylinux2014_x86_64 \
    --dest "$work" --requirement wheels.txt
rm -rf build
for wheel in "$work"/*.whl; do "$python" -m zipfile -e "$wheel" build; done
printf '#!/bin/sh\nexec "${0%%/*}/client.py"\n' > probe-transport-python-mbedtls
chmod +x probe-transport-python-mbedtls
cp wheels.txt build/ # The last, so that what is there is whole.
