#include "engine.h"

#if CPROBE_SHA256_X86

#include <immintrin.h>

#define TARGET __attribute__((target("sha,sse4.1,ssse3")))

// One message's part of the work: the state as the instructions want it, and a window of sixteen message words.
typedef struct {
    __m128i abef, cdgh, message[4];
} stream;

TARGET static inline __attribute__((always_inline)) void load(stream *s, const uint32_t *state) {
    __m128i dcba = _mm_loadu_si128((const __m128i *)state);
    __m128i hgfe = _mm_loadu_si128((const __m128i *)(state + 4));
    __m128i cdab = _mm_shuffle_epi32(dcba, 0xb1), efgh = _mm_shuffle_epi32(hgfe, 0x1b);
    s->abef = _mm_alignr_epi8(cdab, efgh, 8);
    s->cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
}

TARGET static inline __attribute__((always_inline)) void store(const stream *s, uint32_t *state) {
    __m128i feba = _mm_shuffle_epi32(s->abef, 0x1b), dchg = _mm_shuffle_epi32(s->cdgh, 0xb1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

// Rounds 4 * group to 4 * group + 3 of one stream.
TARGET static inline __attribute__((always_inline)) void rounds(stream *s, const uint8_t *block, int group) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i *m = s->message, *words = &m[group & 3];
    if (group < 4) {
        *words = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)block + group), big_endian);
    } else {
        __m128i last = m[(group + 3) & 3];
        __m128i sum = _mm_add_epi32(
            _mm_sha256msg1_epu32(*words, m[(group + 1) & 3]), _mm_alignr_epi8(last, m[(group + 2) & 3], 4));
        *words = _mm_sha256msg2_epu32(sum, last);
    }
    __m128i wk = _mm_add_epi32(*words, _mm_loadu_si128((const __m128i *)&cprobe_sha256_k[4 * group]));
    s->cdgh = _mm_sha256rnds2_epu32(s->cdgh, s->abef, wk);
    s->abef = _mm_sha256rnds2_epu32(s->abef, s->cdgh, _mm_shuffle_epi32(wk, 0x0e));
}

TARGET void cprobe_compress_sha_extensions(uint32_t *state, const uint8_t *const *blocks, size_t count) {
    stream one, two;
    load(&one, state);
    load(&two, state + state_words);
    const uint8_t *first = blocks[0], *second = blocks[1];
    for (; count != 0; count--, first += block_bytes, second += block_bytes) {
        stream before_one = one, before_two = two;
#pragma clang loop unroll(full)
        for (int group = 0; group < 16; group++) {
            rounds(&one, first, group);
            rounds(&two, second, group);
        }
        one.abef = _mm_add_epi32(one.abef, before_one.abef), one.cdgh = _mm_add_epi32(one.cdgh, before_one.cdgh);
        two.abef = _mm_add_epi32(two.abef, before_two.abef), two.cdgh = _mm_add_epi32(two.cdgh, before_two.cdgh);
    }
    store(&one, state);
    store(&two, state + state_words);
}

#endif
