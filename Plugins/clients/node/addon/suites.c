/// suites() is each cipher suite that OpenSSL has, as {number, name, native}: `tls` takes and shows OpenSSL's names.
#include "module.h"

#include <openssl/err.h>
#include <openssl/ssl.h>
#include <stdint.h>

static napi_value suites(napi_env env, napi_callback_info info) {
    (void)info;
    napi_value list = NULL;
    napi_create_array(env, &list);
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    SSL *ssl = context == NULL ? NULL : SSL_new(context);
    for (uint32_t number = 0, count = 0; ssl != NULL && number <= 0xffff; number++) {
        const unsigned char wire[2] = {(unsigned char)(number >> 8), (unsigned char)number};
        const SSL_CIPHER *cipher = SSL_CIPHER_find(ssl, wire);
        const char *name = cipher == NULL ? NULL : SSL_CIPHER_standard_name(cipher);
        if (name == NULL) continue;
        napi_value suite = NULL;
        napi_create_object(env, &suite);
        module_set(env, suite, "number", module_number(env, number));
        module_set(env, suite, "name", module_text(env, name));
        module_set(env, suite, "native", module_text(env, SSL_CIPHER_get_name(cipher)));
        napi_set_element(env, list, count++, suite);
    }
    SSL_free(ssl);
    SSL_CTX_free(context);
    ERR_clear_error();
    return list;
}

void suites_register(napi_env env, napi_value exports) {
    module_function(env, exports, "suites", suites);
}
