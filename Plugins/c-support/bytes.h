/// Bytes, lists of bytes, and base64 (RFC 4648 section 4).
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct bytes {
    uint8_t *data;
    size_t size;
};

/// A list that owns its items.
struct byte_list {
    struct bytes *items;
    size_t count;
};

/// Allocates memory, or ends the process: a request's process without memory can't answer, and the serving one reports it.
void *must_allocate(size_t size);

void bytes_free(struct bytes *bytes);
bool bytes_equal(struct bytes a, struct bytes b);

/// Appends a copy.
void byte_list_add(struct byte_list *list, const uint8_t *data, size_t size);
void byte_list_free(struct byte_list *list);

/// Reads base64 with padding; false for anything else. The caller frees `out`.
bool base64_decode(const char *text, size_t length, struct bytes *out);

/// The bytes as a JSON string of base64.
json_t *json_base64(const uint8_t *data, size_t size);
