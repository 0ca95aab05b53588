#include "engine.h"

#if CPROBE_SHA256_X86

#include <immintrin.h>

#define INLINE __attribute__((target("avx512f,avx512bw"), always_inline)) static inline

enum { lanes = 16 };

// The truth tables of three-operand logic, in the order of the operands' bits.
enum { parity = 0x96, choose = 0xca, majority = 0xe8 };

INLINE __m512i add(__m512i x, __m512i y) { return _mm512_add_epi32(x, y); }

#define ROTATE(x, n) _mm512_ror_epi32(x, n)
#define PARITY(x, y, z) _mm512_ternarylogic_epi32(x, y, z, parity)

// Sixteen words of each of sixteen blocks: `w[t]` gets word t of every lane.
INLINE void load_words(__m512i w[16], const uint8_t *const *blocks, size_t offset) {
    const __m512i big_endian = _mm512_broadcast_i32x4(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
    __m512i r[16], s[16];
    for (int l = 0; l < lanes; l++)
        r[l] = _mm512_shuffle_epi8(_mm512_loadu_si512((const void *)(blocks[l] + offset)), big_endian);
    // A transposition of 16 × 16 words: pairs of words, pairs of pairs, then quarters of registers twice.
    for (int l = 0; l < lanes; l += 2) {
        s[l] = _mm512_unpacklo_epi32(r[l], r[l + 1]);
        s[l + 1] = _mm512_unpackhi_epi32(r[l], r[l + 1]);
    }
    for (int l = 0; l < lanes; l += 4) {
        r[l] = _mm512_unpacklo_epi64(s[l], s[l + 2]);
        r[l + 1] = _mm512_unpackhi_epi64(s[l], s[l + 2]);
        r[l + 2] = _mm512_unpacklo_epi64(s[l + 1], s[l + 3]);
        r[l + 3] = _mm512_unpackhi_epi64(s[l + 1], s[l + 3]);
    }
    for (int i = 0; i < 4; i++) {
        __m512i even_low = _mm512_shuffle_i32x4(r[i], r[i + 4], 0x88);
        __m512i odd_low = _mm512_shuffle_i32x4(r[i], r[i + 4], 0xdd);
        __m512i even_high = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0x88);
        __m512i odd_high = _mm512_shuffle_i32x4(r[i + 8], r[i + 12], 0xdd);
        w[i] = _mm512_shuffle_i32x4(even_low, even_high, 0x88);
        w[i + 4] = _mm512_shuffle_i32x4(odd_low, odd_high, 0x88);
        w[i + 8] = _mm512_shuffle_i32x4(even_low, even_high, 0xdd);
        w[i + 12] = _mm512_shuffle_i32x4(odd_low, odd_high, 0xdd);
    }
}

// The message schedule's next word, in the place of the one sixteen before.
INLINE void schedule(__m512i w[16], int t) {
    __m512i early = w[(t + 1) & 15], late = w[(t + 14) & 15];
    __m512i s0 = PARITY(ROTATE(early, 7), ROTATE(early, 18), _mm512_srli_epi32(early, 3));
    __m512i s1 = PARITY(ROTATE(late, 17), ROTATE(late, 19), _mm512_srli_epi32(late, 10));
    w[t & 15] = add(add(w[t & 15], s0), add(w[(t + 9) & 15], s1));
}

// A round; the words are not moved: the caller renames them.
INLINE void one_round(__m512i v[8], __m512i word, int t) {
    __m512i *a = &v[(64 - t) & 7], *b = &v[(65 - t) & 7], *c = &v[(66 - t) & 7], *d = &v[(67 - t) & 7];
    __m512i *e = &v[(68 - t) & 7], *f = &v[(69 - t) & 7], *g = &v[(70 - t) & 7], *h = &v[(71 - t) & 7];
    __m512i t1 = add(add(*h, add(word, _mm512_set1_epi32((int)cprobe_sha256_k[t]))),
                     add(PARITY(ROTATE(*e, 6), ROTATE(*e, 11), ROTATE(*e, 25)),
                         _mm512_ternarylogic_epi32(*e, *f, *g, choose)));
    __m512i t2 = add(PARITY(ROTATE(*a, 2), ROTATE(*a, 13), ROTATE(*a, 22)),
                     _mm512_ternarylogic_epi32(*a, *b, *c, majority));
    *d = add(*d, t1);
    *h = add(t1, t2);
}

__attribute__((target("avx512f,avx512bw"))) void cprobe_compress_avx512(
    uint32_t *state, const uint8_t *const *blocks, size_t count) {
    __m512i v[8], w[16];
    for (int i = 0; i < 8; i++) v[i] = _mm512_loadu_si512((const void *)(state + i * lanes));
    for (size_t offset = 0; offset != count * block_bytes; offset += block_bytes) {
        __m512i before[8];
        for (int i = 0; i < 8; i++) before[i] = v[i];
        load_words(w, blocks, offset);
#pragma clang loop unroll(full)
        for (int t = 0; t < 64; t++) {
            if (t >= 16) schedule(w, t);
            one_round(v, w[t & 15], t);
        }
        for (int i = 0; i < 8; i++) v[i] = add(v[i], before[i]);
    }
    for (int i = 0; i < 8; i++) _mm512_storeu_si512((void *)(state + i * lanes), v[i]);
}

#endif
