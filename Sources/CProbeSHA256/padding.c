#include "engine.h"

#include <string.h>

enum { piece_bytes = 16 };

typedef uint64_t piece __attribute__((vector_size(piece_bytes)));
typedef unsigned __int128 piece_number;

// The bytes of the piece in which the message ends, and the one bit behind them.
static inline piece last_piece(const uint8_t *message, size_t length) {
    const size_t count = length % piece_bytes;
    piece_number number = 0;
    if (length >= piece_bytes && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__) {
        // The message's last sixteen bytes, without those that are in the piece before.
        memcpy(&number, message + length - piece_bytes, piece_bytes);
        number = count == 0 ? 0 : number >> 8 * (piece_bytes - count);
        number |= (piece_number)0x80 << 8 * count;
    } else {
        if (count != 0) memcpy(&number, message + length - count, count);
        ((uint8_t *)&number)[count] = 0x80;
    }
    return (piece){(uint64_t)number, (uint64_t)(number >> 64)};
}

size_t cprobe_sha256_end(const uint8_t *message, size_t length, uint8_t *end) {
    const size_t rest = length % block_bytes;
    const size_t size = rest + 1 + 8 <= block_bytes ? block_bytes : 2 * block_bytes;
    const uint8_t *tail = message + (length - rest);
    const size_t whole = rest / piece_bytes, pieces = size / piece_bytes;
    const piece bits = {0, __builtin_bswap64((uint64_t)length * 8)}, last = last_piece(message, length);
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
