#include "engine.h"

#if CPROBE_SHA256_ARM

#include <arm_neon.h>

#define INLINE __attribute__((target("sha2"), always_inline)) static inline

// One message's part of the work: the state, and a window of sixteen message words.
typedef struct {
    uint32x4_t abcd, efgh, message[4];
} stream;

// Rounds 4 * group to 4 * group + 3 of one stream.
INLINE void rounds(stream *s, const uint8_t *block, int group) {
    uint32x4_t *m = s->message, *words = &m[group & 3];
    if (group < 4) {
        *words = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(block + 16 * group)));
    } else {
        *words = vsha256su1q_u32(
            vsha256su0q_u32(*words, m[(group + 1) & 3]), m[(group + 2) & 3], m[(group + 3) & 3]);
    }
    const uint32x4_t wk = vaddq_u32(*words, vld1q_u32(&cprobe_sha256_k[4 * group]));
    const uint32x4_t abcd = s->abcd;
    s->abcd = vsha256hq_u32(abcd, s->efgh, wk);
    s->efgh = vsha256h2q_u32(s->efgh, abcd, wk);
}

__attribute__((target("sha2"))) void cprobe_compress_armv8(
    uint32_t *state, const uint8_t *const *blocks, size_t count) {
    stream one = {.abcd = vld1q_u32(state), .efgh = vld1q_u32(state + 4)};
    stream two = {.abcd = vld1q_u32(state + state_words), .efgh = vld1q_u32(state + state_words + 4)};
    const uint8_t *first = blocks[0], *second = blocks[1];
    for (; count != 0; count--, first += block_bytes, second += block_bytes) {
        const stream before_one = one, before_two = two;
#pragma clang loop unroll(full)
        for (int group = 0; group < 16; group++) {
            rounds(&one, first, group);
            rounds(&two, second, group);
        }
        one.abcd = vaddq_u32(one.abcd, before_one.abcd), one.efgh = vaddq_u32(one.efgh, before_one.efgh);
        two.abcd = vaddq_u32(two.abcd, before_two.abcd), two.efgh = vaddq_u32(two.efgh, before_two.efgh);
    }
    vst1q_u32(state, one.abcd), vst1q_u32(state + 4, one.efgh);
    vst1q_u32(state + state_words, two.abcd), vst1q_u32(state + state_words + 4, two.efgh);
}

#endif
