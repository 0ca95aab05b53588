/// The facts of a handshake.
#pragma once

#include "wire.h"

#include <prio.h>

struct seen {
    struct byte_list chain;
    bool chain_too_long, certificate_requested, has_alert, has_close;
    int alert;
};

/// Copies the chain that NSS has of the server, as long as it is within the bounds.
void seen_take_chain(struct seen *seen, PRFileDesc *ssl);

/// Reports all that is known, of a handshake that completed and of one that did not.
void seen_report(struct seen *seen, PRFileDesc *ssl, const struct wire *wire, json_t *report);
