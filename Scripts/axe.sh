#!/usr/bin/env bash
# Leaves axe-core, the accessibility checker, at .build/axe/axe.min.js, out of a package on PyPI. Without pip or the network it
# says so, and the test that needs it is skipped.
set -euo pipefail

package=axe-playwright-python==0.1.8
folder="$(cd "$(dirname "$0")/.." && pwd)/.build/axe"
[ -s "$folder/axe.min.js" ] && exit 0
download=$(mktemp -d)
trap 'rm -rf "$download"' EXIT
if ! timeout 120 python3 -m pip download --quiet --no-deps --only-binary :all: --dest "$download" "$package" >&2; then
    echo "axe-core is not at hand: pages are not checked by it" >&2
    exit 0
fi
mkdir -p "$folder"
python3 - "$download" "$folder/axe.min.js" <<'PROGRAM'
import glob, sys, zipfile
with zipfile.ZipFile(glob.glob(sys.argv[1] + "/*.whl")[0]) as wheel:
    name = next(name for name in wheel.namelist() if name.endswith("/axe.min.js"))
    open(sys.argv[2], "wb").write(wheel.read(name))
PROGRAM
