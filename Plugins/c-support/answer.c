#include "answer.h"

#include <string.h>
#include <time.h>

double clock_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

json_t *error_reply(json_int_t id, const char *message) {
    return json_pack("{s:I, s:s, s:s}", "id", id, "type", "error", "message", message);
}

static json_t *hello(const struct backend *backend, json_int_t id) {
    json_t *capabilities = json_array();
    for (size_t i = 0; backend->capabilities[i] != NULL; i++) {
        json_array_append_new(capabilities, json_string(backend->capabilities[i]));
    }
    return json_pack("{s:I, s:s, s:i, s:s, s:s, s:s, s:s, s:o}", "id", id, "type", "hello", "protocol", 1, "kind",
        "transport", "name", backend->name, "library", backend->library, "version", backend->version(), "capabilities",
        capabilities);
}

static json_t *handshake(const struct backend *backend, json_int_t id, const json_t *message, double arrival) {
    struct handshake_request request = {0};
    double seconds = 0;
    const char *problem = read_handshake(message, &request);
    if (problem == NULL) problem = read_deadline(message, &seconds);
    json_t *reply;
    if (problem == NULL) {
        json_t *report = backend->handshake(&request, arrival + seconds);
        reply = json_pack("{s:I, s:s, s:o}", "id", id, "type", "handshake", "report", report);
    } else {
        reply = error_reply(id, problem);
    }
    trust_question_free(&request.question);
    return reply;
}

static json_t *evaluate_trust(const struct backend *backend, json_int_t id, const json_t *message) {
    struct trust_question question = {0};
    const char *problem = read_trust_question(message, &question);
    json_t *reply;
    if (problem == NULL) {
        json_t *trust = backend->evaluate_trust(&question);
        reply = json_pack("{s:I, s:s, s:o}", "id", id, "type", "evaluate-trust", "trust", trust);
    } else {
        reply = error_reply(id, problem);
    }
    trust_question_free(&question);
    return reply;
}

static json_t *read_key(const struct backend *backend, json_int_t id, const json_t *message) {
    struct bytes certificate = {0};
    const char *problem = read_certificate(message, &certificate);
    json_t *reply;
    if (problem == NULL) {
        reply = json_pack("{s:I, s:s, s:o}", "id", id, "type", "read-key", "key", backend->read_key(certificate));
    } else {
        reply = error_reply(id, problem);
    }
    bytes_free(&certificate);
    return reply;
}

json_t *answer(const struct backend *backend, const json_t *message, double arrival) {
    json_int_t id = json_integer_value(json_object_get(message, "id"));
    const char *type = json_string_value(json_object_get(message, "type"));
    if (type == NULL) return error_reply(id, "type is no text");
    if (strcmp(type, "hello") == 0) return hello(backend, id);
    if (strcmp(type, "handshake") == 0) return handshake(backend, id, message, arrival);
    if (strcmp(type, "evaluate-trust") == 0) return evaluate_trust(backend, id, message);
    if (strcmp(type, "read-key") == 0) return read_key(backend, id, message);
    return error_reply(id, "requests of this type are not known here");
}
