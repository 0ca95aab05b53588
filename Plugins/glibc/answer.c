#include "answer.h"

#include "query.h"
#include "walk.h"

#include <string.h>

static json_t *dns_query(json_int_t id, const json_t *message, double arrival) {
    struct query query = {0};
    double seconds = 0;
    const char *problem = read_query(message, &query);
    if (problem == NULL) problem = read_deadline(message, &seconds);
    if (problem != NULL) return error_reply(id, problem);
    json_t *attempts = ask_servers(&query, arrival + seconds);
    return json_pack("{s:I, s:s, s:o}", "id", id, "type", "dns-query", "attempts", attempts);
}

json_t *answer(const struct backend *backend, const char *type, const json_t *message, double arrival) {
    (void)backend; // It has but one question to answer.
    json_int_t id = json_integer_value(json_object_get(message, "id"));
    if (strcmp(type, "dns-query") == 0) return dns_query(id, message, arrival);
    return error_reply(id, "requests of this type are not known here");
}
