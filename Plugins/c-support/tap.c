#include "tap.h"

#include "report.h"

#include <stdlib.h>
#include <string.h>

enum { CHANGE_CIPHER_SPEC = 20, ALERT = 21, HANDSHAKE = 22, APPLICATION_DATA = 23 };
enum { SERVER_HELLO = 2, CERTIFICATE = 11, SERVER_KEY_EXCHANGE = 12, CERTIFICATE_REQUEST = 13 };
enum { SUPPORTED_VERSIONS = 43, TLS_1_3_VERSION = 0x0304 };
/// A message of this size holds the most certificates there may be; a longer one is not kept.
enum { maximal_message = maximal_chain_bytes + 3 * maximal_certificates + 3 };

static int u16(const uint8_t *data) { return data[0] << 8 | data[1]; }
static size_t u24(const uint8_t *data) { return (size_t)data[0] << 16 | (size_t)data[1] << 8 | data[2]; }

static void read_server_hello(struct tap *tap, const uint8_t *body, size_t size) {
    if (size < 38) return;
    size_t session = body[34], place = 35 + session;
    if (size < place + 3) return;
    tap->version = u16(body);
    tap->suite = u16(body + place);
    place += 5; // The suite, the compression, and the length of the extensions.
    while (place + 4 <= size) {
        int type = u16(body + place);
        size_t length = (size_t)u16(body + place + 2);
        place += 4;
        if (length > size - place) return;
        if (type == SUPPORTED_VERSIONS && length == 2) tap->version = u16(body + place);
        place += length;
    }
    if (tap->version >= TLS_1_3_VERSION) tap->done = true;
}

static void read_certificates(struct tap *tap, const uint8_t *body, size_t size) {
    if (tap->has_chain || size < 3 || u24(body) != size - 3) return;
    tap->has_chain = true;
    size_t place = 3, total = 0;
    while (place + 3 <= size) {
        size_t length = u24(body + place);
        place += 3;
        if (length > size - place) return;
        total += length;
        if (tap->chain.count == maximal_certificates || total > maximal_chain_bytes) {
            tap->chain_too_long = true;
            byte_list_free(&tap->chain);
            return;
        }
        byte_list_add(&tap->chain, body + place, length);
        place += length;
    }
}

static void read_message(struct tap *tap, uint8_t type, const uint8_t *body, size_t size) {
    switch (type) {
    case SERVER_HELLO: read_server_hello(tap, body, size); break;
    case CERTIFICATE: read_certificates(tap, body, size); break;
    case SERVER_KEY_EXCHANGE:
        if (size >= 3 && body[0] == 3) tap->curve = u16(body + 1);
        break;
    case CERTIFICATE_REQUEST: tap->certificate_requested = true; break;
    default: break;
    }
}

static void read_messages(struct tap *tap) {
    size_t place = 0;
    while (!tap->done && tap->pending.size - place >= 4) {
        const uint8_t *message = tap->pending.data + place;
        size_t length = u24(message + 1);
        if (length > maximal_message) {
            // After the chain, what reads as another one is no chain: an encrypted message that came too early, say.
            if (message[0] == CERTIFICATE && !tap->has_chain) tap->chain_too_long = true;
            tap->done = true;
            break;
        }
        if (length > tap->pending.size - place - 4) break;
        read_message(tap, message[0], message + 4, length);
        place += 4 + length;
    }
    tap->pending.size -= place;
    if (place > 0) memmove(tap->pending.data, tap->pending.data + place, tap->pending.size);
}

static void keep(struct tap *tap, const uint8_t *data, size_t size) {
    size_t needed = tap->pending.size + size;
    if (needed > tap->pending_capacity) {
        size_t capacity = needed * 2;
        uint8_t *larger = must_allocate(capacity);
        if (tap->pending.size > 0) memcpy(larger, tap->pending.data, tap->pending.size);
        free(tap->pending.data);
        tap->pending.data = larger;
        tap->pending_capacity = capacity;
    }
    memcpy(tap->pending.data + tap->pending.size, data, size);
    tap->pending.size = needed;
}

/// Reads a part of a record. Only a peer that splits an alert on purpose sends it in two.
static void read_fragment(struct tap *tap, const uint8_t *data, size_t size) {
    switch (tap->header[0]) {
    case HANDSHAKE:
        keep(tap, data, size);
        read_messages(tap);
        break;
    case ALERT:
        if (size >= 2 && (data[0] == 2 || data[1] == 0)) {
            tap->has_alert = true;
            tap->alert = data[1];
        } else {
            tap->idle_records += 1;
        }
        break;
    default: tap->done = true; // From here on the server encrypts.
    }
}

void tap_feed(struct tap *tap, const uint8_t *data, size_t size) {
    while (size > 0 && !tap->done) {
        if (tap->record_left > 0) {
            size_t count = size < tap->record_left ? size : tap->record_left;
            read_fragment(tap, data, count);
            tap->record_left -= count;
            data += count;
            size -= count;
            continue;
        }
        tap->header[tap->header_size++] = *data++;
        size -= 1;
        bool type_is_known = tap->header[0] >= CHANGE_CIPHER_SPEC && tap->header[0] <= APPLICATION_DATA;
        if (!type_is_known || (tap->header_size > 1 && tap->header[1] != 3)) {
            tap->not_tls = tap->version == 0 && tap->pending.size == 0 && !tap->has_alert;
            tap->done = true;
        }
        if (tap->header_size == sizeof tap->header) {
            tap->header_size = 0;
            tap->record_left = (size_t)u16(tap->header + 3);
            if (tap->record_left == 0) tap->idle_records += 1;
        }
    }
}

bool tap_is_in_chain(const struct tap *tap) {
    return !tap->done && !tap->has_chain && tap->pending.size > 0 && tap->pending.data[0] == CERTIFICATE;
}

void tap_free(struct tap *tap) {
    byte_list_free(&tap->chain);
    free(tap->pending.data);
    *tap = (struct tap){0};
}
