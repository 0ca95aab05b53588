#include "engine.h"

#include <stdbool.h>
#include <string.h>

static const cprobe_engine engines[] = {
    [CPROBE_SHA256_PORTABLE] = {1, 1, state_words, cprobe_compress_portable},
#if CPROBE_SHA256_X86
    [CPROBE_SHA256_SHA_EXTENSIONS] = {2, 1, state_words, cprobe_compress_sha_extensions},
    [CPROBE_SHA256_AVX2] = {8, 8, 1, cprobe_compress_avx2},
    [CPROBE_SHA256_AVX512] = {16, 16, 1, cprobe_compress_avx512},
#endif
};

// FIPS 180-4 section 5.3.3.
static const uint32_t initial_state[state_words] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

// A message's end, which is copied and padded: of a short message, all of it.
enum { maximum_end = 2 * block_bytes - 1 - 8 };

// A message on its way through a lane: first its whole blocks where they stand, then its padded end from here.
typedef struct {
    const uint8_t *next;
    size_t blocks;
    size_t message;
    size_t end_blocks;
    // Twice as long as it gets, for copies of a fixed length.
    uint8_t end[4 * block_bytes];
} lane;

typedef struct {
    const cprobe_engine *engine;
    const uint8_t *bytes;
    size_t size;
    const cprobe_sha256_slice *slices;
    size_t count, begun;
    cprobe_sha256_digest *digests;
    uint32_t state[state_words * maximum_lanes];
} batch;

static void turn_to_end(lane *l) {
    l->next = l->end;
    l->blocks = l->end_blocks;
    l->end_blocks = 0;
}

// Puts the next message in a lane (FIPS 180-4 section 5.1.1: a one bit, zero bits, the length in bits as 64).
static void begin(batch *b, lane *l, size_t index) {
    const size_t message = b->begun++;
    const cprobe_sha256_slice slice = b->slices[message];
    const uint8_t *bytes = b->bytes + slice.start;
    const size_t length = (size_t)(slice.end - slice.start);
    const size_t rest = length <= maximum_end ? length : length % block_bytes;
    l->message = message;
    l->end_blocks = rest + 1 + 8 <= block_bytes ? 1 : 2;
    // Two blocks are copied at once where there are as many: a fixed length takes a few instructions, a varying one a call.
    const uint8_t *end = bytes + length - rest;
    if (b->size - ((size_t)slice.end - rest) >= 2 * block_bytes) memcpy(l->end, end, 2 * block_bytes);
    else if (rest != 0) memcpy(l->end, end, rest);
    l->end[rest] = 0x80;
    memset(l->end + rest + 1, 0, 2 * block_bytes);
    const uint64_t bits = (uint64_t)length * 8;
    uint8_t *last = l->end + l->end_blocks * block_bytes - 1;
    for (int i = 0; i < 8; i++) last[-i] = (uint8_t)(bits >> 8 * i);
    l->next = bytes;
    l->blocks = (length - rest) / block_bytes;
    if (l->blocks == 0) turn_to_end(l);
    for (size_t w = 0; w < state_words; w++)
        b->state[w * b->engine->word_stride + index * b->engine->lane_stride] = initial_state[w];
}

static void finish(batch *b, const lane *l, size_t index) {
    uint64_t *words = b->digests[l->message].words;
    const uint32_t *state = b->state + index * b->engine->lane_stride;
    for (size_t w = 0; w < 4; w++)
        words[w] = (uint64_t)state[2 * w * b->engine->word_stride] << 32 | state[(2 * w + 1) * b->engine->word_stride];
}

// Moves a lane on by `run` blocks, to the end of its message, or to the next message. True when it has nothing more to do.
static bool advance(batch *b, lane *l, size_t index, size_t run) {
    l->next += run * block_bytes;
    l->blocks -= run;
    if (l->blocks != 0) return false;
    if (l->end_blocks != 0) {
        turn_to_end(l);
        return false;
    }
    finish(b, l, index);
    if (b->begun == b->count) return true;
    begin(b, l, index);
    return false;
}

void cprobe_sha256(cprobe_sha256_variant variant, const uint8_t *bytes, size_t size, const cprobe_sha256_slice *slices,
                   size_t count, cprobe_sha256_digest *digests) {
    batch b;
    b.engine = &engines[variant];
    b.bytes = bytes, b.size = size;
    b.slices = slices, b.count = count, b.begun = 0;
    b.digests = digests;
    // Every lane has a state from the start, looked at or not.
    memset(b.state, 0, sizeof b.state);
    lane lanes[maximum_lanes];
    const uint8_t *blocks[maximum_lanes];
    const size_t width = b.engine->lanes;
    size_t busy = width < count ? width : count;
    for (size_t i = 0; i < width; i++) {
        if (i < busy) begin(&b, &lanes[i], i);
        else lanes[i].blocks = 0;
    }
    while (busy != 0) {
        size_t run = SIZE_MAX;
        const uint8_t *any = NULL;
        for (size_t i = 0; i < width; i++) {
            if (lanes[i].blocks == 0) continue;
            if (lanes[i].blocks < run) run = lanes[i].blocks, any = lanes[i].next;
        }
        // A lane without a message computes what another one does, and nobody looks at it.
        for (size_t i = 0; i < width; i++) blocks[i] = lanes[i].blocks != 0 ? lanes[i].next : any;
        b.engine->compress(b.state, blocks, run);
        for (size_t i = 0; i < width; i++)
            if (lanes[i].blocks != 0 && advance(&b, &lanes[i], i, run)) busy--;
    }
}
