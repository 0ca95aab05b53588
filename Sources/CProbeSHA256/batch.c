#include "engine.h"

#include <string.h>

static const cprobe_engine engines[] = {
    [CPROBE_SHA256_PORTABLE] = {1, 1, state_words, cprobe_compress_portable, NULL},
#if CPROBE_SHA256_X86
    [CPROBE_SHA256_SHA_EXTENSIONS] = {2, 1, state_words, cprobe_compress_sha_extensions, NULL},
    [CPROBE_SHA256_AVX2] = {8, 8, 1, cprobe_compress_avx2, NULL},
    [CPROBE_SHA256_AVX512] = {16, 16, 1, cprobe_compress_avx512, cprobe_digest_alike_avx512},
#endif
#if CPROBE_SHA256_ARM
    [CPROBE_SHA256_ARMV8] = {2, 1, state_words, cprobe_compress_armv8, NULL},
    [CPROBE_SHA256_NEON] = {4, 4, 1, cprobe_compress_neon, NULL},
#endif
};

const uint32_t cprobe_sha256_initial[state_words] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

// A message's end, which is copied and padded: of a short message, all of it.
enum { maximum_end = 2 * block_bytes - 1 - 8 };

typedef struct {
    size_t message;
    // The blocks of the end that are still to come, after those that stand in the message itself.
    size_t end_blocks;
    // Twice as long as it gets, for copies of a fixed length.
    uint8_t end[4 * block_bytes];
} lane;

typedef struct {
    const cprobe_engine *engine;
    const uint8_t *bytes;
    size_t size;
    const cprobe_sha256_slice *slices;
    // The numbers of the slices that are messages here, NULL for all in their order, and how many of those were begun.
    const uint8_t *order;
    size_t count, begun;
    cprobe_sha256_digest *digests;
    // Of each lane, the next block, and how many there are from there on; a lane that is idle has `no_blocks`.
    const uint8_t *next[maximum_lanes];
    size_t blocks[maximum_lanes];
    uint32_t state[state_words * maximum_lanes];
    lane lanes[maximum_lanes];
} batch;

static const size_t no_blocks = SIZE_MAX;

static inline void turn_to_end(batch *b, size_t index) {
    lane *l = &b->lanes[index];
    b->next[index] = l->end;
    b->blocks[index] = l->end_blocks;
    l->end_blocks = 0;
}

// Puts the next message in a lane (FIPS 180-4 section 5.1.1: a one bit, zero bits, the length in bits as 64).
static inline void begin(batch *b, size_t index) {
    lane *l = &b->lanes[index];
    l->message = b->order == NULL ? b->begun : b->order[b->begun];
    b->begun++;
    const cprobe_sha256_slice slice = b->slices[l->message];
    const uint8_t *bytes = b->bytes + slice.start;
    const size_t length = (size_t)(slice.end - slice.start);
    const size_t rest = length <= maximum_end ? length : length % block_bytes;
    const uint8_t *end = bytes + length - rest;
    l->end_blocks = rest + 1 + 8 <= block_bytes ? 1 : 2;
    // Two blocks are copied at once where there are as many: a fixed length takes a few instructions, a varying one a call.
    if (b->size - ((size_t)slice.end - rest) >= 2 * block_bytes) memcpy(l->end, end, 2 * block_bytes);
    else if (rest != 0) memcpy(l->end, end, rest);
    l->end[rest] = 0x80;
    memset(l->end + rest + 1, 0, 2 * block_bytes);
    const uint64_t bits = cprobe_big_endian((uint64_t)length * 8);
    memcpy(l->end + l->end_blocks * block_bytes - sizeof bits, &bits, sizeof bits);
    b->next[index] = bytes;
    b->blocks[index] = (length - rest) / block_bytes;
    if (b->blocks[index] == 0) turn_to_end(b, index);
    uint32_t *state = b->state + index * b->engine->lane_stride;
    for (size_t w = 0; w < state_words; w++) state[w * b->engine->word_stride] = cprobe_sha256_initial[w];
}

static inline void finish(batch *b, size_t index) {
    const size_t stride = b->engine->word_stride;
    const uint32_t *state = b->state + index * b->engine->lane_stride;
    uint64_t *words = b->digests[b->lanes[index].message].words;
    for (size_t w = 0; w < 4; w++) words[w] = (uint64_t)state[2 * w * stride] << 32 | state[(2 * w + 1) * stride];
}

// Moves lanes that are through with their blocks to the end of their message, or to the next message; returns how many
// have nothing more to do.
static size_t advance(batch *b, size_t run) {
    size_t idle = 0;
    for (size_t i = 0; i < b->engine->lanes; i++) {
        if (b->blocks[i] == no_blocks) continue;
        b->next[i] += run * block_bytes;
        b->blocks[i] -= run;
        if (b->blocks[i] != 0) continue;
        if (b->lanes[i].end_blocks != 0) {
            turn_to_end(b, i);
            continue;
        }
        finish(b, i);
        if (b->begun != b->count) {
            begin(b, i);
        } else {
            b->blocks[i] = no_blocks;
            idle++;
        }
    }
    return idle;
}

// Digests of the messages in `order`, or of all, each of which takes the next lane that becomes free.
static void digest_in_lanes(const cprobe_engine *engine, const uint8_t *bytes, size_t size,
                            const cprobe_sha256_slice *slices, const uint8_t *order, size_t count,
                            cprobe_sha256_digest *digests) {
    batch b;
    b.engine = engine;
    b.bytes = bytes, b.size = size;
    b.slices = slices, b.order = order, b.count = count, b.begun = 0;
    b.digests = digests;
    // Every lane has a state from the start, looked at or not.
    memset(b.state, 0, sizeof b.state);
    const size_t width = b.engine->lanes;
    size_t busy = width < count ? width : count;
    for (size_t i = 0; i < width; i++) {
        if (i < busy) begin(&b, i);
        else b.blocks[i] = no_blocks;
    }
    while (busy != 0) {
        size_t run = no_blocks, shortest = 0;
        for (size_t i = 0; i < width; i++)
            if (b.blocks[i] < run) run = b.blocks[i], shortest = i;
        // A lane without a message repeats another one's work, and its result is ignored.
        if (busy != width)
            for (size_t i = 0; i < width; i++)
                if (b.blocks[i] == no_blocks) b.next[i] = b.next[shortest];
        b.engine->compress(b.state, b.next, run);
        busy -= advance(&b, run);
    }
}

void cprobe_sha256(cprobe_sha256_variant variant, const uint8_t *bytes, size_t size, const cprobe_sha256_slice *slices,
                   size_t count, cprobe_sha256_digest *digests) {
    const cprobe_engine *engine = &engines[variant];
    while (engine->digest_alike != NULL && count >= engine->lanes) {
        const size_t together = count < maximum_together ? count : maximum_together;
        uint8_t order[maximum_together];
        const size_t left = engine->digest_alike(bytes, slices, together, digests, order);
        if (left != 0) digest_in_lanes(engine, bytes, size, slices, order, left, digests);
        slices += together, digests += together, count -= together;
    }
    if (count != 0) digest_in_lanes(engine, bytes, size, slices, NULL, count, digests);
}
