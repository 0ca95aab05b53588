// Compares every variant of the many-buffer SHA-256 that this processor has with the standard's own text, for lengths at
// all edges of a block, alone and many at once. Prints the variants that it ran; ends with 1 at a difference.
//
// For processors that tests in Swift can't be built for here: Scripts/processors.sh runs it.

#include "CProbeSHA256.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *names[] = {"portable", "sha-ni", "avx2", "avx512", "armv8", "neon"};
enum { variants = sizeof names / sizeof *names, size = 1 << 16, most = 70 };

static uint8_t bytes[size];

// FIPS 180-4 appendix B.1, and a message of no bytes.
static const uint64_t of_abc[4] = {0xba7816bf8f01cfea, 0x414140de5dae2223, 0xb00361a396177a9c, 0xb410ff61f20015ad};
static const uint64_t of_nothing[4] = {0xe3b0c44298fc1c14, 0x9afbf4c8996fb924, 0x27ae41e4649b934c, 0xa495991b7852b855};

static void compare(cprobe_sha256_variant variant, const cprobe_sha256_slice *slices, size_t count) {
    cprobe_sha256_digest expected[most], found[most];
    cprobe_sha256(CPROBE_SHA256_PORTABLE, bytes, size, slices, count, expected);
    memset(found, 0xa5, sizeof found);
    cprobe_sha256(variant, bytes, size, slices, count, found);
    if (memcmp(expected, found, count * sizeof *found) == 0) return;
    printf("%s differs, with %zu messages, the first of %zd bytes\n", names[variant], count,
           slices[0].end - slices[0].start);
    exit(1);
}

int main(void) {
    for (size_t i = 0; i < size; i++) bytes[i] = (uint8_t)(i * 2654435761u >> 13);
    memcpy(bytes, "abc", 3);
    for (int variant = 0; variant < variants; variant++) {
        if (!cprobe_sha256_is_available(variant)) continue;
        const cprobe_sha256_slice examples[] = {{0, 3}, {3, 3}};
        cprobe_sha256_digest digests[2];
        cprobe_sha256(variant, bytes, size, examples, 2, digests);
        if (memcmp(&digests[0], of_abc, 32) != 0 || memcmp(&digests[1], of_nothing, 32) != 0) {
            printf("%s is wrong about the standard's examples\n", names[variant]);
            return 1;
        }
        cprobe_sha256_slice slices[most];
        // Alone, then all lanes of a length, then lengths by turns.
        for (intptr_t length = 0; length <= 600; length++) {
            slices[0] = (cprobe_sha256_slice){length % 61, length % 61 + length};
            compare(variant, slices, 1);
            for (intptr_t i = 0; i < most; i++) slices[i] = (cprobe_sha256_slice){i * 37, i * 37 + length};
            compare(variant, slices, most);
            for (intptr_t i = 0; i < most; i++)
                slices[i] = (cprobe_sha256_slice){i, i + (i * 7919 + length * 31) % (i % 9 == 0 ? 20000 : 700)};
            compare(variant, slices, (size_t)(1 + length % most));
        }
        // What ends with the bytes has nothing behind it to copy along.
        for (intptr_t length = 0; length < most; length++) slices[length] = (cprobe_sha256_slice){size - length, size};
        compare(variant, slices, most);
        printf("%s ", names[variant]);
    }
    printf("\n");
    return 0;
}
