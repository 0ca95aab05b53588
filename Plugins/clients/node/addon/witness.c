/// The messages that a connection receives, as OpenSSL shows them to the callback for messages. `tls` shows the peer's
/// certificates in the order of their issuers and leaves out the others, so that the presented chain has to be read here.
///
/// All of this runs on node's main thread, as every SSL of `tls` does.
#include "module.h"

#include <openssl/ssl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { message_header = 4, maximal_message = 1024 * 1024 };

struct witness {
    SSL *ssl; // Node's, which clears this when it frees it.
    unsigned char *certificate;
    size_t certificate_size;
    bool is_tls13; // Of the certificate message.
    bool has_server_hello, is_certificate_asked;
    int alert_level, alert; // -1 where there was none.
};

static int witness_index = -1;
/// Node makes an SSL while `tls.connect` is called; the newest one is that of the last call.
static SSL *newest;

static void note_new(void *parent, void *value, CRYPTO_EX_DATA *data, int index, long number, void *pointer) {
    (void)value, (void)data, (void)index, (void)number, (void)pointer;
    newest = parent;
}

static void note_free(void *parent, void *value, CRYPTO_EX_DATA *data, int index, long number, void *pointer) {
    (void)data, (void)index, (void)number, (void)pointer;
    if (newest == parent) newest = NULL;
    if (value != NULL) ((struct witness *)value)->ssl = NULL;
}

static void note_handshake(struct witness *witness, SSL *ssl, const unsigned char *message, size_t size) {
    if (size < message_header) return;
    switch (message[0]) {
    case SSL3_MT_SERVER_HELLO: witness->has_server_hello = true; break;
    case SSL3_MT_CERTIFICATE_REQUEST: witness->is_certificate_asked = true; break;
    case SSL3_MT_CERTIFICATE:
        if (witness->certificate != NULL || size > maximal_message) break;
        witness->certificate = malloc(size);
        if (witness->certificate == NULL) break;
        witness->is_tls13 = SSL_version(ssl) == TLS1_3_VERSION;
        witness->certificate_size = size - message_header;
        memcpy(witness->certificate, message + message_header, witness->certificate_size);
        break;
    default: break;
    }
}

static void note_message(
    int is_sent, int version, int type, const void *message, size_t size, SSL *ssl, void *argument) {
    (void)version;
    struct witness *witness = argument;
    if (is_sent) return;
    if (type == SSL3_RT_HANDSHAKE) note_handshake(witness, ssl, message, size);
    if (type == SSL3_RT_ALERT && size == 2) {
        witness->alert_level = ((const unsigned char *)message)[0];
        witness->alert = ((const unsigned char *)message)[1];
    }
}

static void witness_free(napi_env env, void *data, void *hint) {
    (void)env, (void)hint;
    struct witness *witness = data;
    if (witness->ssl != NULL) {
        SSL_set_msg_callback(witness->ssl, NULL);
        SSL_set_ex_data(witness->ssl, witness_index, NULL);
    }
    free(witness->certificate);
    free(witness);
}

/// Trust is decided afterwards, at another time, and with a thread of its own: here a hostile chain would keep everybody
/// else waiting.
static int accept_chain(X509_STORE_CTX *context, void *argument) {
    (void)context, (void)argument;
    return 1;
}

/// watchNewest() is a witness of the connection that was made last; undefined where there is none.
static napi_value watch_newest(napi_env env, napi_callback_info info) {
    (void)info;
    if (newest == NULL || SSL_get_ex_data(newest, witness_index) != NULL) return NULL;
    struct witness *witness = calloc(1, sizeof *witness);
    napi_value value;
    if (witness == NULL) return NULL;
    if (napi_create_external(env, witness, witness_free, NULL, &value) != napi_ok) {
        free(witness);
        return NULL;
    }
    witness->alert = witness->alert_level = -1;
    witness->ssl = newest;
    newest = NULL;
    SSL_set_ex_data(witness->ssl, witness_index, witness);
    SSL_set_msg_callback(witness->ssl, note_message);
    SSL_set_msg_callback_arg(witness->ssl, witness);
    SSL_CTX_set_cert_verify_callback(SSL_get_SSL_CTX(witness->ssl), accept_chain, NULL);
    return value;
}

static void set_flag(napi_env env, napi_value object, const char *name, bool flag) {
    napi_value value;
    if (napi_get_boolean(env, flag, &value) == napi_ok) module_set(env, object, name, value);
}

/// seen(witness) is what has been received by now.
static napi_value seen(napi_env env, napi_callback_info info) {
    napi_value argument, result;
    size_t count = 1;
    struct witness *witness = NULL;
    if (napi_get_cb_info(env, info, &count, &argument, NULL, NULL) != napi_ok || count != 1
        || napi_get_value_external(env, argument, (void **)&witness) != napi_ok
        || napi_create_object(env, &result) != napi_ok) {
        napi_throw_type_error(env, NULL, "seen() takes a witness");
        return NULL;
    }
    module_set(env, result, "certificate", module_bytes(env, witness->certificate, witness->certificate_size));
    module_set(env, result, "alertLevel", module_number(env, witness->alert_level));
    module_set(env, result, "alert", module_number(env, witness->alert));
    set_flag(env, result, "hasServerHello", witness->has_server_hello);
    set_flag(env, result, "isCertificateAsked", witness->is_certificate_asked);
    set_flag(env, result, "isTLS13", witness->is_tls13);
    return result;
}

void witness_register(napi_env env, napi_value exports) {
    witness_index = SSL_get_ex_new_index(0, NULL, note_new, NULL, note_free);
    module_function(env, exports, "watchNewest", watch_newest);
    module_function(env, exports, "seen", seen);
}
