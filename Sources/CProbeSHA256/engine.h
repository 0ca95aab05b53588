#ifndef CPROBE_SHA256_ENGINE_H
#define CPROBE_SHA256_ENGINE_H

#include "CProbeSHA256.h"

#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#define CPROBE_SHA256_X86 1
#else
#define CPROBE_SHA256_X86 0
#endif

// Little-endian ones: bytes are turned as they are loaded.
#if defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define CPROBE_SHA256_ARM 1
#else
#define CPROBE_SHA256_ARM 0
#endif

enum { block_bytes = 64, state_words = 8, maximum_lanes = 16 };

// The number of messages in a batch: their indices are bytes.
enum { maximum_together = 256 };

// A number whose bytes in memory are those of `value`, the highest first.
static inline uint64_t cprobe_big_endian(uint64_t value) {
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return __builtin_bswap64(value);
#else
    return value;
#endif
}

// FIPS 180-4 section 4.2.2.
extern const uint32_t cprobe_sha256_k[64];
// FIPS 180-4 section 5.3.3.
extern const uint32_t cprobe_sha256_initial[8];

// A variant as the scheduler sees it: it compresses the next `count` blocks of each of its lanes.
typedef struct {
    size_t lanes;
    // Word `w` of lane `l` is in the state at w * word_stride + l * lane_stride.
    size_t word_stride;
    size_t lane_stride;
    void (*compress)(uint32_t *state, const uint8_t *const *blocks, size_t count);
    // Digests of those messages that fill all lanes with others of as many blocks: nothing has to be kept for each lane
    // then. The numbers of the other messages go to `left`; returns how many. NULL where a variant has no such way.
    size_t (*digest_alike)(const uint8_t *bytes, const cprobe_sha256_slice *slices, size_t count,
                           cprobe_sha256_digest *digests, uint8_t *left);
} cprobe_engine;

void cprobe_compress_portable(uint32_t *state, const uint8_t *const *blocks, size_t count);
#if CPROBE_SHA256_X86
void cprobe_compress_sha_extensions(uint32_t *state, const uint8_t *const *blocks, size_t count);
void cprobe_compress_avx2(uint32_t *state, const uint8_t *const *blocks, size_t count);
void cprobe_compress_avx512(uint32_t *state, const uint8_t *const *blocks, size_t count);
size_t cprobe_digest_alike_avx512(const uint8_t *bytes, const cprobe_sha256_slice *slices, size_t count,
                                  cprobe_sha256_digest *digests, uint8_t *left);
#endif
#if CPROBE_SHA256_ARM
void cprobe_compress_armv8(uint32_t *state, const uint8_t *const *blocks, size_t count);
void cprobe_compress_neon(uint32_t *state, const uint8_t *const *blocks, size_t count);
#endif

#endif
