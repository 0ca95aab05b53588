/// The facts that node's OpenSSL has and its JavaScript does not show: an addon, since OpenSSL is inside node itself.
#include "module.h"

void module_function(napi_env env, napi_value exports, const char *name, napi_callback function) {
    napi_value value;
    if (napi_create_function(env, name, NAPI_AUTO_LENGTH, function, NULL, &value) != napi_ok) return;
    module_set(env, exports, name, value);
}

napi_value module_bytes(napi_env env, const void *data, size_t size) {
    napi_value value = NULL;
    if (data == NULL) {
        napi_get_null(env, &value);
    } else {
        napi_create_buffer_copy(env, size, data, NULL, &value);
    }
    return value;
}

napi_value module_number(napi_env env, double number) {
    napi_value value = NULL;
    napi_create_double(env, number, &value);
    return value;
}

napi_value module_text(napi_env env, const char *text) {
    napi_value value = NULL;
    napi_create_string_utf8(env, text, NAPI_AUTO_LENGTH, &value);
    return value;
}

void module_set(napi_env env, napi_value object, const char *name, napi_value value) {
    if (value != NULL) napi_set_named_property(env, object, name, value);
}

NAPI_MODULE_INIT() {
    trust_register(env, exports);
    witness_register(env, exports);
    suites_register(env, exports);
    return exports;
}
