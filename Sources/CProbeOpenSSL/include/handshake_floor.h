#ifndef CPROBE_OPENSSL_HANDSHAKE_FLOOR_H
#define CPROBE_OPENSSL_HANDSHAKE_FLOOR_H

// A bare client of OpenSSL: what the transport's handshake is measured against.

#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <unistd.h>

#include "CProbeFloor.h"

// A context that trusts one authority, to be freed with SSL_CTX_free; NULL when it can't be made.
static inline SSL_CTX *cprobe_floor_context(const unsigned char *anchor, long count) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    X509 *authority = d2i_X509(NULL, &anchor, count);
    if (context == NULL || authority == NULL || !X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority)) {
        SSL_CTX_free(context);
        context = NULL;
    } else {
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
        SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
        SSL_CTX_set_options(context, SSL_OP_NO_TICKET);
    }
    X509_free(authority);
    return context;
}

// One connection from beginning to end; 1 when the chain was accepted.
static inline int cprobe_floor_handshake(SSL_CTX *context, uint16_t port, const char *name) {
    int descriptor = cprobe_floor_connect(port);
    if (descriptor < 0) return 0;
    SSL *ssl = SSL_new(context);
    int done = ssl != NULL && SSL_set_fd(ssl, descriptor) && SSL_set_tlsext_host_name(ssl, name)
        && SSL_set1_host(ssl, name) && SSL_connect(ssl) == 1 && SSL_get_verify_result(ssl) == X509_V_OK;
    if (done) SSL_shutdown(ssl);
    SSL_free(ssl);
    close(descriptor);
    return done;
}

#endif
