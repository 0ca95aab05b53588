#include "engine.h"

#if CPROBE_SHA256_X86

#include <immintrin.h>

#define INLINE __attribute__((target("avx2"), always_inline)) static inline

enum { lanes = 8 };

INLINE __m256i add(__m256i x, __m256i y) { return _mm256_add_epi32(x, y); }
INLINE __m256i xor3(__m256i x, __m256i y, __m256i z) { return _mm256_xor_si256(x, _mm256_xor_si256(y, z)); }

#define SHIFT(x, n) _mm256_srli_epi32(x, n)
#define ROTATE(x, n) _mm256_or_si256(_mm256_srli_epi32(x, n), _mm256_slli_epi32(x, 32 - (n)))

// Eight words of each of eight blocks: `w[t]` gets word t of every lane.
INLINE void load_words(__m256i w[8], const uint8_t *const *blocks, size_t offset) {
    const __m256i big_endian = _mm256_broadcastsi128_si256(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
    __m256i r[8], s[8];
    for (int l = 0; l < lanes; l++)
        r[l] = _mm256_shuffle_epi8(_mm256_loadu_si256((const __m256i *)(blocks[l] + offset)), big_endian);
    // A transposition of 8 × 8 words: pairs of words, pairs of pairs, then halves of registers.
    for (int l = 0; l < lanes; l += 2) {
        s[l] = _mm256_unpacklo_epi32(r[l], r[l + 1]);
        s[l + 1] = _mm256_unpackhi_epi32(r[l], r[l + 1]);
    }
    for (int l = 0; l < lanes; l += 4) {
        r[l] = _mm256_unpacklo_epi64(s[l], s[l + 2]);
        r[l + 1] = _mm256_unpackhi_epi64(s[l], s[l + 2]);
        r[l + 2] = _mm256_unpacklo_epi64(s[l + 1], s[l + 3]);
        r[l + 3] = _mm256_unpackhi_epi64(s[l + 1], s[l + 3]);
    }
    for (int i = 0; i < 4; i++) {
        w[i] = _mm256_permute2x128_si256(r[i], r[i + 4], 0x20);
        w[i + 4] = _mm256_permute2x128_si256(r[i], r[i + 4], 0x31);
    }
}

// The message schedule's next word, in the place of the one sixteen before.
INLINE void schedule(__m256i w[16], int t) {
    __m256i early = w[(t + 1) & 15], late = w[(t + 14) & 15];
    __m256i s0 = xor3(ROTATE(early, 7), ROTATE(early, 18), SHIFT(early, 3));
    __m256i s1 = xor3(ROTATE(late, 17), ROTATE(late, 19), SHIFT(late, 10));
    w[t & 15] = add(add(w[t & 15], s0), add(w[(t + 9) & 15], s1));
}

// A round; the words are not moved: the caller renames them. Choose and majority are written with one operation less
// than in the standard, to the same effect.
INLINE void one_round(__m256i v[8], __m256i word, int t) {
    __m256i *a = &v[(64 - t) & 7], *b = &v[(65 - t) & 7], *c = &v[(66 - t) & 7], *d = &v[(67 - t) & 7];
    __m256i *e = &v[(68 - t) & 7], *f = &v[(69 - t) & 7], *g = &v[(70 - t) & 7], *h = &v[(71 - t) & 7];
    __m256i choose = _mm256_xor_si256(*g, _mm256_and_si256(*e, _mm256_xor_si256(*f, *g)));
    __m256i majority =
        _mm256_or_si256(_mm256_and_si256(*a, *b), _mm256_and_si256(*c, _mm256_or_si256(*a, *b)));
    __m256i t1 = add(add(*h, add(word, _mm256_set1_epi32((int)cprobe_sha256_k[t]))),
                     add(xor3(ROTATE(*e, 6), ROTATE(*e, 11), ROTATE(*e, 25)), choose));
    __m256i t2 = add(xor3(ROTATE(*a, 2), ROTATE(*a, 13), ROTATE(*a, 22)), majority);
    *d = add(*d, t1);
    *h = add(t1, t2);
}

__attribute__((target("avx2"))) void cprobe_compress_avx2(
    uint32_t *state, const uint8_t *const *blocks, size_t count) {
    __m256i v[8], w[16];
    for (int i = 0; i < 8; i++) v[i] = _mm256_loadu_si256((const __m256i *)(state + i * lanes));
    for (size_t offset = 0; offset != count * block_bytes; offset += block_bytes) {
        __m256i before[8];
        for (int i = 0; i < 8; i++) before[i] = v[i];
        load_words(w, blocks, offset);
        load_words(w + 8, blocks, offset + block_bytes / 2);
#pragma clang loop unroll(full)
        for (int t = 0; t < 64; t++) {
            if (t >= 16) schedule(w, t);
            one_round(v, w[t & 15], t);
        }
        for (int i = 0; i < 8; i++) v[i] = add(v[i], before[i]);
    }
    for (int i = 0; i < 8; i++) _mm256_storeu_si256((__m256i *)(state + i * lanes), v[i]);
}

#endif
