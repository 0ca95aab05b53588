#include "CProbeBoringSSLServer.h"

#include <CNIOBoringSSL.h>
#include <stdlib.h>

enum { most_certificates = 128 };

struct cprobe_boringssl_server {
    SSL *ssl;
    CRYPTO_BUFFER *certificates[most_certificates];
    size_t count;
};

cprobe_boringssl_server *cprobe_boringssl_server_new(uint16_t oldest, uint16_t newest) {
    cprobe_boringssl_server *server = calloc(1, sizeof *server);
    if (server == NULL) return NULL;
    SSL_CTX *context = SSL_CTX_new(TLS_method());
    server->ssl = context == NULL ? NULL : SSL_new(context);
    SSL_CTX_free(context);
    if (server->ssl == NULL) {
        cprobe_boringssl_server_free(server);
        return NULL;
    }
    SSL_set_bio(server->ssl, BIO_new(BIO_s_mem()), BIO_new(BIO_s_mem()));
    SSL_set_accept_state(server->ssl);
    if (SSL_set_min_proto_version(server->ssl, oldest) && SSL_set_max_proto_version(server->ssl, newest)) return server;
    cprobe_boringssl_server_free(server);
    return NULL;
}

void cprobe_boringssl_server_free(cprobe_boringssl_server *server) {
    if (server == NULL) return;
    for (size_t i = 0; i < server->count; i++) CRYPTO_BUFFER_free(server->certificates[i]);
    SSL_free(server->ssl);
    free(server);
}

int cprobe_boringssl_server_add_certificate(cprobe_boringssl_server *server, const uint8_t *der, size_t count) {
    if (server->count == most_certificates) return 0;
    CRYPTO_BUFFER *certificate = CRYPTO_BUFFER_new(der, count, NULL);
    if (certificate == NULL) return 0;
    server->certificates[server->count++] = certificate;
    return 1;
}

int cprobe_boringssl_server_set_key(cprobe_boringssl_server *server, const uint8_t *pem, size_t count) {
    BIO *text = BIO_new_mem_buf(pem, (ossl_ssize_t)count);
    EVP_PKEY *key = PEM_read_bio_PrivateKey(text, NULL, NULL, NULL);
    BIO_free(text);
    int is_set = key != NULL && SSL_set_chain_and_key(server->ssl, server->certificates, server->count, key, NULL);
    EVP_PKEY_free(key);
    if (!is_set) ERR_clear_error();
    return is_set;
}

int cprobe_boringssl_server_staple(cprobe_boringssl_server *server, const uint8_t *response, size_t count) {
    return SSL_set_ocsp_response(server->ssl, response, count);
}

int cprobe_boringssl_server_send_timestamps(cprobe_boringssl_server *server, const uint8_t *list, size_t count) {
    return SSL_set_signed_cert_timestamp_list(server->ssl, list, count);
}

void cprobe_boringssl_server_feed(cprobe_boringssl_server *server, const uint8_t *bytes, size_t count) {
    BIO_write(SSL_get_rbio(server->ssl), bytes, (int)count);
}

int cprobe_boringssl_server_read(cprobe_boringssl_server *server, uint8_t *bytes, int room) {
    ERR_clear_error();
    // Reading does what is left of the handshake first.
    int count = SSL_read(server->ssl, bytes, room);
    if (count > 0) return count;
    return SSL_get_error(server->ssl, count) == SSL_ERROR_WANT_READ ? 0 : -1;
}

size_t cprobe_boringssl_server_pending(const cprobe_boringssl_server *server) {
    return BIO_pending(SSL_get_wbio(server->ssl));
}

int cprobe_boringssl_server_take(cprobe_boringssl_server *server, uint8_t *bytes, int room) {
    return BIO_read(SSL_get_wbio(server->ssl), bytes, room);
}
