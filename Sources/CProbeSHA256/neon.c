#include "engine.h"

#if CPROBE_SHA256_ARM

#include <arm_neon.h>

#define INLINE __attribute__((always_inline)) static inline

enum { lanes = 4 };

INLINE uint32x4_t add(uint32x4_t x, uint32x4_t y) { return vaddq_u32(x, y); }
INLINE uint32x4_t xor3(uint32x4_t x, uint32x4_t y, uint32x4_t z) { return veorq_u32(x, veorq_u32(y, z)); }

#define SHIFT(x, n) vshrq_n_u32(x, n)
#define ROTATE(x, n) vsriq_n_u32(vshlq_n_u32(x, 32 - (n)), x, n)

// Four words of each of four blocks: `w[t]` gets word t of every lane.
INLINE void load_words(uint32x4_t w[4], const uint8_t *const *blocks, size_t offset) {
    uint32x4_t r[4];
    for (int l = 0; l < lanes; l++) r[l] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(blocks[l] + offset)));
    // A transposition of 4 × 4 words: pairs of words, then halves of registers.
    const uint32x4x2_t low = vtrnq_u32(r[0], r[1]), high = vtrnq_u32(r[2], r[3]);
    for (int i = 0; i < 2; i++) {
        w[i] = vcombine_u32(vget_low_u32(low.val[i]), vget_low_u32(high.val[i]));
        w[i + 2] = vcombine_u32(vget_high_u32(low.val[i]), vget_high_u32(high.val[i]));
    }
}

// The message schedule's next word, in the place of the one sixteen before.
INLINE void schedule(uint32x4_t w[16], int t) {
    uint32x4_t early = w[(t + 1) & 15], late = w[(t + 14) & 15];
    uint32x4_t s0 = xor3(ROTATE(early, 7), ROTATE(early, 18), SHIFT(early, 3));
    uint32x4_t s1 = xor3(ROTATE(late, 17), ROTATE(late, 19), SHIFT(late, 10));
    w[t & 15] = add(add(w[t & 15], s0), add(w[(t + 9) & 15], s1));
}

// A round; the words are not moved: the caller renames them. Majority is a choice, too: where a and b differ, c decides.
INLINE void one_round(uint32x4_t v[8], uint32x4_t word, int t) {
    uint32x4_t *a = &v[(64 - t) & 7], *b = &v[(65 - t) & 7], *c = &v[(66 - t) & 7], *d = &v[(67 - t) & 7];
    uint32x4_t *e = &v[(68 - t) & 7], *f = &v[(69 - t) & 7], *g = &v[(70 - t) & 7], *h = &v[(71 - t) & 7];
    uint32x4_t choose = vbslq_u32(*e, *f, *g);
    uint32x4_t majority = vbslq_u32(veorq_u32(*a, *b), *c, *b);
    uint32x4_t t1 = add(add(*h, add(word, vdupq_n_u32(cprobe_sha256_k[t]))),
                        add(xor3(ROTATE(*e, 6), ROTATE(*e, 11), ROTATE(*e, 25)), choose));
    uint32x4_t t2 = add(xor3(ROTATE(*a, 2), ROTATE(*a, 13), ROTATE(*a, 22)), majority);
    *d = add(*d, t1);
    *h = add(t1, t2);
}

void cprobe_compress_neon(uint32_t *state, const uint8_t *const *blocks, size_t count) {
    uint32x4_t v[8], w[16];
    for (int i = 0; i < 8; i++) v[i] = vld1q_u32(state + i * lanes);
    for (size_t offset = 0; offset != count * block_bytes; offset += block_bytes) {
        uint32x4_t before[8];
        for (int i = 0; i < 8; i++) before[i] = v[i];
        for (int i = 0; i < 4; i++) load_words(w + 4 * i, blocks, offset + (size_t)i * 16);
#pragma clang loop unroll(full)
        for (int t = 0; t < 64; t++) {
            if (t >= 16) schedule(w, t);
            one_round(v, w[t & 15], t);
        }
        for (int i = 0; i < 8; i++) v[i] = add(v[i], before[i]);
    }
    for (int i = 0; i < 8; i++) vst1q_u32(state + i * lanes, v[i]);
}

#endif
