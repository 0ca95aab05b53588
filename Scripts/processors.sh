#!/usr/bin/env bash
# What is written for processors that this machine does not have, built for 64-bit ARM and run under emulation: the
# many-buffer SHA-256, and the first call of a library that is opened late.
# Installs a cross compiler's libraries and the emulator.
set -euo pipefail
cd "$(dirname "$0")/.."
Scripts/install-libraries.sh --processors
built=$(mktemp -d)
trap 'rm -rf "$built"' EXIT

clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
flags=(-O2 -Wall -Wextra -Werror)
arm=(--target=aarch64-linux-gnu -fuse-ld=lld -isystem /usr/aarch64-linux-gnu/include -L/usr/aarch64-linux-gnu/lib
  -B/usr/aarch64-linux-gnu/lib -B"$(echo /usr/lib/gcc-cross/aarch64-linux-gnu/*)")

"$clang" "${arm[@]}" "${flags[@]}" -static \
  -ISources/CProbeSHA256/include Sources/CProbeSHA256/*.c Tests/Processors/sha256.c -o "$built/arm"
found=$(qemu-aarch64 -cpu max "$built/arm") || { echo "$found" >&2; exit 1; }
echo "64-bit ARM: $found"
[ "$found" = "portable armv8 neon " ] || { echo "a variant was not run" >&2; exit 1; }

# OPTION…: the program and its library in $built, for the processor that the options name.
opening() {
    "$clang" "$@" "${flags[@]}" -fPIC -shared Tests/Processors/opened.c -o "$built/libopened.so"
    "$clang" "$@" "${flags[@]}" -fPIE -pie -ISources/CProbeLibrary/include Sources/CProbeLibrary/*.c \
      Sources/CProbeLibrary/*.S Tests/Processors/opening.c -o "$built/opening"
}
opening
found=$(LD_LIBRARY_PATH=$built "$built/opening") || { echo "$found went wrong" >&2; exit 1; }
echo "this processor: $found"
opening "${arm[@]}"
found=$(qemu-aarch64 -L /usr/aarch64-linux-gnu -E LD_LIBRARY_PATH="$built:/usr/aarch64-linux-gnu/lib" "$built/opening") ||
    { echo "$found went wrong" >&2; exit 1; }
echo "64-bit ARM: $found"
