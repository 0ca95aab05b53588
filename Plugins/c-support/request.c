#include "request.h"

#include <ctype.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const struct {
    const char *name;
    enum tls_version version;
} versions[] = {{"1.0", TLS_1_0}, {"1.1", TLS_1_1}, {"1.2", TLS_1_2}, {"1.3", TLS_1_3}};

const char *version_name(int version) {
    for (size_t i = 0; i < sizeof versions / sizeof *versions; i++) {
        if ((int)versions[i].version == version) return versions[i].name;
    }
    return NULL;
}

static bool read_version(const json_t *value, enum tls_version *version) {
    const char *name = json_string_value(value);
    for (size_t i = 0; name != NULL && i < sizeof versions / sizeof *versions; i++) {
        if (strcmp(versions[i].name, name) == 0) {
            *version = versions[i].version;
            return true;
        }
    }
    return false;
}

static bool read_bytes(const json_t *value, struct bytes *bytes) {
    return json_is_string(value) && base64_decode(json_string_value(value), json_string_length(value), bytes);
}

static bool read_list(const json_t *value, struct byte_list *list) {
    if (!json_is_array(value)) return false;
    list->items = must_allocate(json_array_size(value) * sizeof *list->items);
    for (size_t i = 0; i < json_array_size(value); i++) {
        if (!read_bytes(json_array_get(value, i), &list->items[i])) return false;
        list->count += 1;
    }
    return true;
}

static bool read_name(const json_t *value, struct server_name *name) {
    name->kind = NO_NAME;
    if (json_is_null(value)) return true;
    const char *text = json_string_value(value);
    if (text == NULL) return false;
    if (strncmp(text, "dns:", 4) == 0) {
        name->kind = DNS_NAME;
        text += 4;
    } else if (strncmp(text, "ip:", 3) == 0) {
        name->kind = IP_NAME;
        text += 3;
    } else {
        return false;
    }
    if (text[0] == '\0' || strlen(text) >= sizeof name->text) return false;
    for (size_t i = 0; text[i] != '\0'; i++) name->text[i] = (char)tolower((unsigned char)text[i]);
    return true;
}

static bool read_instant(const json_t *value, int64_t *instant) {
    const char *text = json_string_value(value);
    struct tm time = {0};
    const char *rest = text == NULL ? NULL : strptime(text, "%Y-%m-%dT%H:%M:%S", &time);
    if (rest != NULL && *rest == '.') {
        do rest += 1;
        while (isdigit((unsigned char)*rest));
    }
    if (rest == NULL || strcmp(rest, "Z") != 0) return false;
    *instant = timegm(&time);
    return true;
}

static bool read_purpose(const json_t *value, enum purpose *purpose) {
    static const char *const names[] = {"server", "client", "any"};
    const char *text = json_string_value(value);
    for (int i = 0; text != NULL && i < 3; i++) {
        if (strcmp(text, names[i]) == 0) {
            *purpose = (enum purpose)i;
            return true;
        }
    }
    return false;
}

/// Reads the part that a handshake and a question about a chain have in common.
static const char *read_question(const json_t *message, struct trust_question *question) {
    question->max_depth = -1;
    if (!read_list(json_object_get(json_object_get(message, "anchors"), "certificates"), &question->anchors)) {
        return "anchors is not an object with the certificates in base64";
    }
    if (!read_name(json_object_get(message, "name"), &question->name)) return "name is neither dns: nor ip:";
    if (!read_instant(json_object_get(message, "instant"), &question->instant)) return "instant is not RFC 3339 in UTC";
    return NULL;
}

const char *read_trust_question(const json_t *message, struct trust_question *question) {
    *question = (struct trust_question){0};
    const char *problem = read_question(message, question);
    if (problem != NULL) return problem;
    if (!read_list(json_object_get(message, "chain"), &question->chain)) return "chain is not a list of base64";
    if (!read_purpose(json_object_get(message, "purpose"), &question->purpose)) {
        return "purpose is not server, client or any";
    }
    const json_t *staple = json_object_get(message, "staple");
    if (staple != NULL && !json_is_null(staple) && !read_bytes(staple, &question->staple)) return "staple is not base64";
    const json_t *depth = json_object_get(message, "maxDepth");
    if (depth == NULL || json_is_null(depth)) return NULL;
    if (!json_is_integer(depth) || json_integer_value(depth) < 0) return "maxDepth is not a count";
    json_int_t limit = json_integer_value(depth);
    question->max_depth = limit > 1000 ? 1000 : (int)limit;
    return NULL;
}

const char *read_handshake(const json_t *message, struct handshake_request *request) {
    *request = (struct handshake_request){0};
    const char *problem = read_question(message, &request->question);
    if (problem != NULL) return problem;
    if (request->question.name.kind == NO_NAME) return "name is null";
    request->host = json_string_value(json_object_get(message, "host"));
    if (request->host == NULL || request->host[0] == '\0') return "host is not a text";
    const json_t *port = json_object_get(message, "port");
    if (!json_is_integer(port) || json_integer_value(port) < 1 || json_integer_value(port) > 65535) {
        return "port is not from 1 to 65535";
    }
    request->port = (int)json_integer_value(port);
    const json_t *range = json_object_get(message, "versions");
    if (!read_version(json_array_get(range, 0), &request->lowest) || json_array_size(range) != 2
        || !read_version(json_array_get(range, 1), &request->highest) || request->lowest > request->highest) {
        return "versions is not a range of TLS versions";
    }
    const json_t *alpn = json_object_get(message, "alpn");
    if (!json_is_array(alpn) || json_array_size(alpn) > maximal_protocols) return "alpn is not a list, or is too long";
    for (size_t i = 0; i < json_array_size(alpn); i++) {
        const char *protocol = json_string_value(json_array_get(alpn, i));
        if (protocol == NULL || protocol[0] == '\0' || strlen(protocol) > 255) return "alpn has an entry that is not a protocol";
        request->alpn[request->alpn_count++] = protocol;
    }
    return NULL;
}

const char *read_certificate(const json_t *message, struct bytes *certificate) {
    return read_bytes(json_object_get(message, "certificate"), certificate) ? NULL : "certificate is not base64";
}

const char *read_deadline(const json_t *message, double *seconds) {
    const json_t *deadline = json_object_get(message, "deadline");
    if (!json_is_number(deadline)) return "deadline is not a number";
    *seconds = json_number_value(deadline);
    if (*seconds < 0) *seconds = 0;
    if (*seconds > 3600) *seconds = 3600;
    return NULL;
}

void trust_question_free(struct trust_question *question) {
    byte_list_free(&question->chain);
    byte_list_free(&question->anchors);
    bytes_free(&question->staple);
}
