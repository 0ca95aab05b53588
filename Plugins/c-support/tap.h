/// Reads along what a server sends in the clear: all of a handshake up to TLS 1.2, and the ServerHello of TLS 1.3.
/// Libraries don't hand out certificates that they can't parse; here they are as the server sent them.
#pragma once

#include "bytes.h"

struct tap {
    /// The peer's first bytes are not a TLS record.
    bool not_tls;
    /// The version of the ServerHello, 0 before; the suite too.
    int version, suite;
    /// The alert that came in the clear, -1 where none did.
    bool has_alert;
    uint8_t alert;
    /// The warnings and empty records that came in the clear: a library may take them without end.
    int idle_records;
    /// The certificates in their order.
    struct byte_list chain;
    bool has_chain, chain_too_long;
    /// The named curve of the ServerKeyExchange, where it has that form; 0 otherwise.
    int curve;
    bool certificate_requested;

    /// Nothing more can be read: the rest is encrypted, or is not TLS.
    bool done;
    uint8_t header[5];
    size_t header_size, record_left;
    /// Handshake bytes of a message that is not complete yet.
    struct bytes pending;
    size_t pending_capacity;
};

void tap_feed(struct tap *tap, const uint8_t *data, size_t size);
/// True while the Certificate message is under way, and not yet whole.
bool tap_is_in_chain(const struct tap *tap);
void tap_free(struct tap *tap);
