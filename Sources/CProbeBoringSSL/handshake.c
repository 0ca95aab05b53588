#include "CProbeBoringSSLHandshake.h"

#include <CNIOBoringSSL.h>
#include <string.h>
#include <unistd.h>

#include "CProbeFloor.h"

cprobe_boringssl_client *cprobe_boringssl_floor_context(const uint8_t *anchor, long count) {
    SSL_CTX *context = SSL_CTX_new(TLS_method());
    X509 *authority = d2i_X509(NULL, &anchor, count);
    if (context == NULL || authority == NULL || !X509_STORE_add_cert(SSL_CTX_get_cert_store(context), authority)) {
        SSL_CTX_free(context);
        context = NULL;
    } else {
        SSL_CTX_set_verify(context, SSL_VERIFY_PEER, NULL);
        SSL_CTX_set_session_cache_mode(context, SSL_SESS_CACHE_OFF);
    }
    X509_free(authority);
    return (cprobe_boringssl_client *)context;
}

void cprobe_boringssl_floor_context_free(cprobe_boringssl_client *client) { SSL_CTX_free((SSL_CTX *)client); }

int cprobe_boringssl_floor_handshake(cprobe_boringssl_client *client, uint16_t port, const char *name) {
    int descriptor = cprobe_floor_connect(port);
    if (descriptor < 0) return 0;
    SSL *ssl = SSL_new((SSL_CTX *)client);
    int done = ssl != NULL && SSL_set_fd(ssl, descriptor) && SSL_set_tlsext_host_name(ssl, name)
        && X509_VERIFY_PARAM_set1_host(SSL_get0_param(ssl), name, strlen(name)) && SSL_connect(ssl) == 1
        && SSL_get_verify_result(ssl) == X509_V_OK;
    if (done) SSL_shutdown(ssl);
    SSL_free(ssl);
    close(descriptor);
    return done;
}
