#include "report.h"

#include <stdarg.h>
#include <stdio.h>

/// Text of libraries and peers may be no UTF-8.
static json_t *safe_text(const char *text) {
    if (text == NULL) return json_null();
    json_t *string = json_string(text);
    return string == NULL ? json_string("(a text that is not UTF-8)") : string;
}

json_t *trust_accepted(void) {
    return json_pack("{s:b, s:n, s:[]}", "accepted", 1, "path", "problems");
}

bool trust_is_accepted(const json_t *trust) {
    return json_is_true(json_object_get(trust, "accepted"));
}

void trust_refuse(json_t *trust, const char *cause, const char *native, int depth, const char *message) {
    json_object_set_new(trust, "accepted", json_false());
    json_object_set_new(trust, "path", json_null());
    json_t *problem = json_object();
    json_object_set_new(problem, "cause", json_string(cause));
    json_object_set_new(problem, "message", safe_text(message));
    json_object_set_new(problem, "nativeCode", safe_text(native));
    json_object_set_new(problem, "depth", depth < 0 ? json_null() : json_integer(depth));
    json_t *problems = json_object_get(trust, "problems");
    for (size_t i = 0; i < json_array_size(problems); i++) {
        if (json_equal(json_array_get(problems, i), problem)) {
            json_decref(problem);
            return;
        }
    }
    json_array_append_new(problems, problem);
}

void trust_path_add(json_t *trust, const uint8_t *data, size_t size) {
    if (!trust_is_accepted(trust)) return;
    if (!json_is_array(json_object_get(trust, "path"))) json_object_set_new(trust, "path", json_array());
    json_array_append_new(json_object_get(trust, "path"), json_base64(data, size));
}

size_t trust_path_count(const json_t *trust) {
    return json_array_size(json_object_get(trust, "path"));
}

json_t *key_readable(const uint8_t *spki, size_t size) {
    return json_pack("{s:o}", "spki", json_base64(spki, size));
}

json_t *key_unreadable(const char *reason) {
    return json_pack("{s:o}", "unreadable", safe_text(reason));
}

json_t *report_new(void) {
    return json_pack("{s:n, s:n, s:[], s:[], s:n, s:n, s:n, s:n, s:n, s:[], s:n, s:n, s:n, s:{}, s:n}",
        "address", "sni", "chain", "keys", "version", "cipherSuite", "group", "alpn", "ocspStaple", "handshakeSCTs",
        "clientCertificateRequested", "trust", "http", "timings", "failure");
}

void report_fail(json_t *report, const char *code, const char *native, int alert, const char *format, ...) {
    if (report_has_failed(report)) return;
    char message[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    json_t *failure = json_object();
    json_object_set_new(failure, "code", json_string(code));
    json_object_set_new(failure, "message", safe_text(message));
    json_object_set_new(failure, "nativeCode", safe_text(native));
    json_object_set_new(failure, "alert", alert < 0 ? json_null() : json_integer(alert));
    json_object_set_new(report, "failure", failure);
}

bool report_has_failed(const json_t *report) {
    return !json_is_null(json_object_get(report, "failure"));
}

void report_text(json_t *report, const char *key, const char *text) {
    json_object_set_new(report, key, safe_text(text));
}

void report_duration(json_t *report, const char *part, double seconds) {
    json_object_set_new(json_object_get(report, "timings"), part, json_real(seconds));
}

const char *group_name(int group) {
    static const struct {
        int number;
        const char *name;
    } groups[] = {
        {18, "secp192k1"}, {19, "secp192r1"}, {20, "secp224k1"}, {21, "secp224r1"}, {22, "secp256k1"},
        {23, "secp256r1"}, {24, "secp384r1"}, {25, "secp521r1"}, {26, "brainpoolP256r1"}, {27, "brainpoolP384r1"},
        {28, "brainpoolP512r1"}, {29, "x25519"}, {30, "x448"}, {256, "ffdhe2048"}, {257, "ffdhe3072"},
        {258, "ffdhe4096"}, {259, "ffdhe6144"}, {260, "ffdhe8192"},
    };
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        if (groups[i].number == group) return groups[i].name;
    }
    return NULL;
}
