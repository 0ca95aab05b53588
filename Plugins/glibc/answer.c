#include "answer.h"

#include "query.h"

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
        "resolver", "name", backend->name, "library", backend->library, "version", backend->version(), "capabilities",
        capabilities);
}

static json_t *dns_query(json_int_t id, const json_t *message, double arrival) {
    struct query query = {0};
    double seconds = 0;
    const char *problem = read_query(message, &query);
    if (problem == NULL) problem = read_deadline(message, &seconds);
    if (problem != NULL) return error_reply(id, problem);
    json_t *attempts = ask_servers(&query, arrival + seconds);
    return json_pack("{s:I, s:s, s:o}", "id", id, "type", "dns-query", "attempts", attempts);
}

json_t *answer(const struct backend *backend, const json_t *message, double arrival) {
    json_int_t id = json_integer_value(json_object_get(message, "id"));
    const char *type = json_string_value(json_object_get(message, "type"));
    if (type == NULL) return error_reply(id, "type is no text");
    if (strcmp(type, "hello") == 0) return hello(backend, id);
    if (strcmp(type, "dns-query") == 0) return dns_query(id, message, arrival);
    return error_reply(id, "requests of this type are not known here");
}
