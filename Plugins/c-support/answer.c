#include "answer.h"

#include <string.h>

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

json_t *answer(const struct backend *backend, const char *type, const json_t *message, double arrival) {
    json_int_t id = json_integer_value(json_object_get(message, "id"));
    if (strcmp(type, "handshake") == 0) return handshake(backend, id, message, arrival);
    if (strcmp(type, "evaluate-trust") == 0) return evaluate_trust(backend, id, message);
    if (strcmp(type, "read-key") == 0) return read_key(backend, id, message);
    return error_reply(id, "requests of this type are not known here");
}
