#include "engine.h"

#include <string.h>

enum { piece_bytes = 16 };

typedef uint64_t piece __attribute__((vector_size(piece_bytes), may_alias));

// The bytes of the piece in which the message ends, and the one bit behind them.
static inline piece last_piece(const uint8_t *message, size_t length) {
    const size_t count = length % piece_bytes;
    const uint8_t *end = message + length;
    piece last = {0, 0};
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    if (length >= piece_bytes) {
        // The message's last sixteen bytes, without those that are in the piece before.
        unsigned __int128 number;
        memcpy(&number, end - piece_bytes, piece_bytes);
        number = count == 0 ? 0 : number >> 8 * (piece_bytes - count);
        number |= (unsigned __int128)0x80 << 8 * count;
        memcpy(&last, &number, piece_bytes);
        return last;
    }
#endif
    if (count != 0) memcpy(&last, end - count, count);
    ((uint8_t *)&last)[count] = 0x80;
    return last;
}

size_t cprobe_sha256_end(const uint8_t *message, size_t length, uint8_t *end) {
    const size_t rest = length % block_bytes;
    const size_t size = rest + 1 + 8 <= block_bytes ? block_bytes : 2 * block_bytes;
    const uint8_t *tail = message + (length - rest);
    const size_t whole = rest / piece_bytes, pieces = size / piece_bytes;
    const piece bits = {0, cprobe_big_endian((uint64_t)length * 8)}, last = last_piece(message, length);
    for (size_t i = 0; i < pieces; i++) {
        piece p = {0, 0};
        if (i < whole) memcpy(&p, tail + i * piece_bytes, piece_bytes);
        else if (i == whole) p = last;
        if (i == pieces - 1) p |= bits;
        // In one go, whatever the compiler knows of its halves.
        *(volatile piece *)(end + i * piece_bytes) = p;
    }
    return size;
}
