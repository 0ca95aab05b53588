/// A peer in memory that presents a chain, so that wolfSSL judges it as it does in a handshake: it has no other function
/// that judges a whole chain.
#pragma once

#include "bytes.h"

#include <wolfssl/options.h>
#include <wolfssl/ssl.h>

enum {
    /// wolfSSL asks a leaf for the key usage that the suite needs, which is signing for this one.
    SIGNING_SUITE = 0xC02B, // TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256
    /// An anonymous suite needs none, and neither do those of TLS 1.3.
    ANY_USAGE_SUITE = 0x0034, // TLS_DH_anon_WITH_AES_128_CBC_SHA
};

/// Presents the chain in TLS 1.2 to the object, which is a client or a server with that suite and was never used.
/// Returns 0 where the object took it, or the library's error.
int present(WOLFSSL *ssl, const struct byte_list *chain, int suite);
