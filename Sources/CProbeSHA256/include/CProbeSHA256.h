#ifndef CPROBE_SHA256_H
#define CPROBE_SHA256_H

#include <stddef.h>
#include <stdint.h>

// SHA-256 (FIPS 180-4) of many messages at once. Nothing here allocates or keeps state; every function may be called from
// any thread.

// The ways to compute it, which differ in speed alone.
typedef enum {
    // C without assumptions about the processor, a message at a time.
    CPROBE_SHA256_PORTABLE = 0,
    // The x86 SHA extensions, two messages interleaved, so that one's rounds fill the other's latency.
    CPROBE_SHA256_SHA_EXTENSIONS = 1,
    // Eight messages, one in each 32-bit lane.
    CPROBE_SHA256_AVX2 = 2,
    // Sixteen.
    CPROBE_SHA256_AVX512 = 3,
    // The SHA2 instructions of ARMv8, two messages interleaved.
    CPROBE_SHA256_ARMV8 = 4,
    // Four messages in the lanes of NEON.
    CPROBE_SHA256_NEON = 5,
} cprobe_sha256_variant;

// A message: where it starts and ends in the bytes it is a slice of.
typedef struct {
    intptr_t start;
    intptr_t end;
} cprobe_sha256_slice;

// A digest as four words, the first one the first eight bytes in big-endian order.
typedef struct {
    uint64_t words[4];
} cprobe_sha256_digest;

// Nonzero if this processor, and this build, can run a variant.
int cprobe_sha256_is_available(cprobe_sha256_variant variant);

// Digests of `count` slices of the `size` bytes at `bytes`, in their order. The variant must be available, and the slices
// must lie within the bytes; they may overlap, be empty, and start anywhere.
void cprobe_sha256(cprobe_sha256_variant variant, const uint8_t *bytes, size_t size, const cprobe_sha256_slice *slices,
                   size_t count, cprobe_sha256_digest *digests);

// Writes the end of a message as whole blocks (FIPS 180-4 section 5.1.1): what follows its last whole block, a one bit, zero
// bits, the length in bits as 64. `end` is aligned to 16 bytes and has room for 128; returns how many are used, 64 or 128.
//
// The blocks are written in the pieces in which SHA instructions read them. Bytes that were written one by one, as
// libraries do when they finish a digest, have to reach the cache before the processor can read them as one: for a short
// message that is half of its time.
size_t cprobe_sha256_end(const uint8_t *message, size_t length, uint8_t *end);

#endif
