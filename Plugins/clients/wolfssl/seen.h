/// The facts seen of a server in a handshake.
#pragma once

#include "request.h"
#include "wire.h"

#include <wolfssl/options.h>
#include <wolfssl/ssl.h>

struct seen {
    struct wire wire;
    /// As presented.
    struct byte_list chain;
    bool certificate_requested;
};

/// Makes the object go on whatever the certificates are, and note them in `seen`, through whose wire it has to talk.
void seen_listen(struct seen *seen, WOLFSSL_CTX *context, WOLFSSL *ssl);

/// Reports all but the failure and trust, after the handshake.
void seen_report(struct seen *seen, WOLFSSL *ssl, const struct handshake_request *request, json_t *report);

void seen_free(struct seen *seen);
