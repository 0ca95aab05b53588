#ifndef CLOOPFLOOR_H
#define CLOOPFLOOR_H

// A bare client of OpenSSL without a socket: bytes in, bytes out. Its functions come with the backend that is linked beside it.

#include <openssl/ssl.h>
#include <openssl/x509.h>

// A context that trusts one authority; NULL when it can't be made.
static inline SSL_CTX *loop_floor_context(const unsigned char *anchor, long count) {
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

// A handshake that has not begun, to be freed with SSL_free, and the place of what it writes; NULL when it can't be made.
static inline SSL *loop_floor_begin(SSL_CTX *context, const char *name, BIO **out) {
    SSL *ssl = SSL_new(context);
    BIO *in = BIO_new(BIO_s_mem());
    *out = BIO_new(BIO_s_mem());
    if (ssl == NULL || in == NULL || *out == NULL) {
        SSL_free(ssl);
        BIO_free(in);
        BIO_free(*out);
        return NULL;
    }
    SSL_set_bio(ssl, in, *out);
    SSL_set_connect_state(ssl);
    if (SSL_set_tlsext_host_name(ssl, name) && SSL_set1_host(ssl, name)) return ssl;
    SSL_free(ssl);
    return NULL;
}

// Takes bytes of the server, and copies those for it; 1 when the chain was accepted, 0 to go on, -1 when it failed.
static inline int loop_floor_step(
    SSL *ssl, BIO *out, const void *bytes, int count, void *answer, int room, int *written) {
    if (count > 0 && BIO_write(SSL_get_rbio(ssl), bytes, count) != count) return -1;
    int result = SSL_do_handshake(ssl);
    int done = result == 1 ? SSL_get_verify_result(ssl) == X509_V_OK ? 1 : -1 : 0;
    if (result != 1 && SSL_get_error(ssl, result) != SSL_ERROR_WANT_READ) done = -1;
    if (done == 1) SSL_shutdown(ssl);
    int taken = BIO_read(out, answer, room);
    *written = taken > 0 ? taken : 0;
    return done;
}

#endif
