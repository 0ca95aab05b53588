#!/usr/bin/env bash
# The many-buffer SHA-256 on processors that this machine does not have: built for 64-bit ARM and run under emulation.
# Installs a cross compiler's libraries and the emulator.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/install-libraries.sh --processors
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT

"$(dirname "$(readlink -f "$(command -v swift)")")/clang" --target=aarch64-linux-gnu -fuse-ld=lld -static -O2 \
  -isystem /usr/aarch64-linux-gnu/include -L/usr/aarch64-linux-gnu/lib -B/usr/aarch64-linux-gnu/lib \
  -B"$(echo /usr/lib/gcc-cross/aarch64-linux-gnu/*)" -Wall -Wextra -Werror \
  -ISources/CProbeSHA256/include Sources/CProbeSHA256/*.c Tests/Processors/sha256.c -o "$built/arm"
found=$(qemu-aarch64 -cpu max "$built/arm") || { echo "$found" >&2; exit 1; }
echo "64-bit ARM: $found"
[ "$found" = "portable armv8 neon " ] || { echo "a variant was not run" >&2; exit 1; }
