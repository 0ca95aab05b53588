#include "engine.h"

#if CPROBE_SHA256_X86

#include <immintrin.h>

#define TARGET __attribute__((target("avx512f,avx512bw")))
#define INLINE __attribute__((target("avx512f,avx512bw"), always_inline)) static inline

enum { lanes = 16 };

// The truth tables of three-operand logic, in the order of the operands' bits.
enum { parity = 0x96, choose = 0xca, majority = 0xe8 };

INLINE __m512i add(__m512i x, __m512i y) { return _mm512_add_epi32(x, y); }

#define ROTATE(x, n) _mm512_ror_epi32(x, n)
#define PARITY(x, y, z) _mm512_ternarylogic_epi32(x, y, z, parity)

// The words of sixteen blocks, one of each lane: `w[t]` gets word t of every lane.
INLINE void take_words(__m512i w[16], __m512i r[16]) {
    const __m512i big_endian = _mm512_broadcast_i32x4(_mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203));
    __m512i s[16];
    for (int l = 0; l < lanes; l++) r[l] = _mm512_shuffle_epi8(r[l], big_endian);
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

// Keeps a sum as it stands: the compiler would add in another order, and have `e` and `a` wait longer.
#define AS_IT_STANDS(x) __asm__("" : "+v"(x))

// A round; the words are not moved: the caller renames them.
INLINE void one_round(__m512i v[8], __m512i word, int t, const uint32_t *k) {
    __m512i *a = &v[(64 - t) & 7], *b = &v[(65 - t) & 7], *c = &v[(66 - t) & 7], *d = &v[(67 - t) & 7];
    __m512i *e = &v[(68 - t) & 7], *f = &v[(69 - t) & 7], *g = &v[(70 - t) & 7], *h = &v[(71 - t) & 7];
    __m512i early = add(add(*h, word), _mm512_set1_epi32((int)k[t]));
    AS_IT_STANDS(early);
    const __m512i chosen = _mm512_ternarylogic_epi32(*e, *f, *g, choose);
    const __m512i sum1 = PARITY(ROTATE(*e, 6), ROTATE(*e, 11), ROTATE(*e, 25));
    __m512i next_e = add(add(*d, early), chosen), t1 = add(early, chosen);
    AS_IT_STANDS(next_e);
    AS_IT_STANDS(t1);
    __m512i t2 = add(PARITY(ROTATE(*a, 2), ROTATE(*a, 13), ROTATE(*a, 22)),
                     _mm512_ternarylogic_epi32(*a, *b, *c, majority));
    AS_IT_STANDS(t2);
    *d = add(next_e, sum1);
    *h = add(add(t1, sum1), t2);
}

// Sixty-four rounds, and the state before them added.
INLINE void compress(__m512i v[8], __m512i w[16]) {
    __m512i before[8];
    for (int i = 0; i < 8; i++) before[i] = v[i];
    const uint32_t *k = cprobe_sha256_k;
#pragma clang loop unroll(full)
    for (int t = 0; t < 16; t++) one_round(v, w[t], t, k);
    // Not unrolled, or each constant would be spread over a register, and kept on the stack, before the first block.
#pragma clang loop unroll(disable)
    for (int group = 1; group < 4; group++) {
        k += 16;
#pragma clang loop unroll(full)
        for (int t = 0; t < 16; t++) {
            schedule(w, t);
            one_round(v, w[t], t, k);
        }
    }
    for (int i = 0; i < 8; i++) v[i] = add(v[i], before[i]);
}

TARGET void cprobe_compress_avx512(uint32_t *state, const uint8_t *const *blocks, size_t count) {
    __m512i v[8], w[16], r[16];
    for (int i = 0; i < 8; i++) v[i] = _mm512_loadu_si512((const void *)(state + i * lanes));
    for (size_t offset = 0; offset != count * block_bytes; offset += block_bytes) {
        for (int l = 0; l < lanes; l++) r[l] = _mm512_loadu_si512((const void *)(blocks[l] + offset));
        take_words(w, r);
        compress(v, w);
    }
    for (int i = 0; i < 8; i++) _mm512_storeu_si512((void *)(state + i * lanes), v[i]);
}

// A message's bytes in a block, followed by a one bit if it ends there, and by zero bits. Nothing behind the message is
// read, so that its end need not be copied before it can be padded.
INLINE __m512i load_end(const uint8_t *message, size_t length, size_t offset) {
    const size_t start = offset < length ? offset : length, rest = length - start;
    const __mmask64 inside = rest < block_bytes ? ((__mmask64)1 << rest) - 1 : ~(__mmask64)0;
    const __mmask64 end = offset <= length && rest < block_bytes ? (__mmask64)1 << rest : 0;
    return _mm512_mask_blend_epi8(
        end, _mm512_maskz_loadu_epi8(inside, message + start), _mm512_set1_epi8((char)0x80));
}

// The state of each lane as its digest's words, each of which has the first of two in its upper half.
INLINE void store_digests(const __m512i v[8], cprobe_sha256_digest *const *digests) {
    for (int half = 0; half < 2; half++) {
        const __m512i *u = v + 4 * half;
        const __m512i low = _mm512_unpacklo_epi32(u[1], u[0]), next_low = _mm512_unpacklo_epi32(u[3], u[2]);
        const __m512i high = _mm512_unpackhi_epi32(u[1], u[0]), next_high = _mm512_unpackhi_epi32(u[3], u[2]);
        // Half a digest of every fourth lane in each.
        const __m512i lane[4] = {
            _mm512_unpacklo_epi64(low, next_low), _mm512_unpackhi_epi64(low, next_low),
            _mm512_unpacklo_epi64(high, next_high), _mm512_unpackhi_epi64(high, next_high),
        };
        for (int l = 0; l < 4; l++) {
            _mm_storeu_si128((__m128i *)&digests[l]->words[2 * half], _mm512_extracti32x4_epi32(lane[l], 0));
            _mm_storeu_si128((__m128i *)&digests[l + 4]->words[2 * half], _mm512_extracti32x4_epi32(lane[l], 1));
            _mm_storeu_si128((__m128i *)&digests[l + 8]->words[2 * half], _mm512_extracti32x4_epi32(lane[l], 2));
            _mm_storeu_si128((__m128i *)&digests[l + 12]->words[2 * half], _mm512_extracti32x4_epi32(lane[l], 3));
        }
    }
}

// Digests of sixteen messages, those whose numbers are `chosen`, which take the same number of blocks.
TARGET static void digest_alike(const uint8_t *bytes, const cprobe_sha256_slice *slices, const uint8_t *chosen,
                                size_t blocks, cprobe_sha256_digest *digests) {
    const uint8_t *messages[lanes];
    uint32_t lengths[lanes];
    cprobe_sha256_digest *places[lanes];
    for (int l = 0; l < lanes; l++) {
        const cprobe_sha256_slice slice = slices[chosen[l]];
        messages[l] = bytes + slice.start;
        lengths[l] = (uint32_t)(slice.end - slice.start);
        places[l] = &digests[chosen[l]];
    }
    __m512i v[8], w[16], r[16];
    for (int i = 0; i < 8; i++) v[i] = _mm512_set1_epi32((int)cprobe_sha256_initial[i]);
    for (size_t block = 0; block < blocks; block++) {
        const size_t offset = block * block_bytes;
        // With as many blocks, each message ends in one of the last two.
        if (block + 2 < blocks) {
            for (int l = 0; l < lanes; l++) r[l] = _mm512_loadu_si512((const void *)(messages[l] + offset));
        } else {
            for (int l = 0; l < lanes; l++) r[l] = load_end(messages[l], lengths[l], offset);
        }
        take_words(w, r);
        // The length in bits; of so few blocks its upper word is zero, as it was read.
        if (block + 1 == blocks) w[15] = _mm512_slli_epi32(_mm512_loadu_si512((const void *)lengths), 3);
        compress(v, w);
    }
    store_digests(v, places);
}

TARGET size_t cprobe_digest_alike_avx512(const uint8_t *bytes, const cprobe_sha256_slice *slices, size_t count,
                                         cprobe_sha256_digest *digests, uint8_t *left) {
    enum { width = 64, words = maximum_together / width, too_many = UINT8_MAX };
    // The number of each message's blocks, and whether it is still to be processed.
    _Alignas(width) uint8_t blocks[maximum_together];
    uint64_t waiting[words];
    for (size_t i = 0; i < words; i++) {
        const size_t before = i * width;
        waiting[i] = count >= before + width ? ~(uint64_t)0 : count > before ? ((uint64_t)1 << (count - before)) - 1 : 0;
    }
    for (size_t i = 0; i < count; i++) {
        const size_t needed = ((size_t)(slices[i].end - slices[i].start) + 8) / block_bytes + 1;
        blocks[i] = needed < too_many ? (uint8_t)needed : too_many;
    }
    size_t left_count = 0;
    for (size_t i = 0; i < words; i++) {
        while (waiting[i] != 0) {
            const uint8_t needed = blocks[i * width + (size_t)__builtin_ctzll(waiting[i])];
            uint8_t chosen[lanes];
            size_t filled = 0;
            // The messages before these were taken, or left, with others of their kind.
            for (size_t j = i; j < words; j++) {
                uint64_t alike = waiting[j] & _mm512_cmpeq_epi8_mask(
                    _mm512_load_si512((const void *)(blocks + j * width)), _mm512_set1_epi8((char)needed));
                waiting[j] &= ~alike;
                for (; alike != 0; alike &= alike - 1) {
                    const uint8_t message = (uint8_t)(j * width + (size_t)__builtin_ctzll(alike));
                    if (needed == too_many) {
                        left[left_count++] = message;
                        continue;
                    }
                    chosen[filled++] = message;
                    if (filled < lanes) continue;
                    digest_alike(bytes, slices, chosen, needed, digests);
                    filled = 0;
                }
            }
            for (size_t l = 0; l < filled; l++) left[left_count++] = chosen[l];
        }
    }
    return left_count;
}

#endif
