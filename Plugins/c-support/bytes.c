#include "bytes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

void *must_allocate(size_t size) {
    void *memory = calloc(1, size > 0 ? size : 1);
    if (memory == NULL) {
        fputs("out of memory\n", stderr);
        _Exit(EXIT_FAILURE);
    }
    return memory;
}

void bytes_free(struct bytes *bytes) {
    free(bytes->data);
    *bytes = (struct bytes){0};
}

bool bytes_equal(struct bytes a, struct bytes b) {
    return a.size == b.size && (a.size == 0 || memcmp(a.data, b.data, a.size) == 0);
}

void byte_list_add(struct byte_list *list, const uint8_t *data, size_t size) {
    struct bytes *items = must_allocate((list->count + 1) * sizeof *items);
    if (list->count > 0) memcpy(items, list->items, list->count * sizeof *items);
    free(list->items);
    list->items = items;
    items[list->count] = (struct bytes){must_allocate(size), size};
    if (size > 0) memcpy(items[list->count].data, data, size);
    list->count += 1;
}

void byte_list_free(struct byte_list *list) {
    for (size_t i = 0; i < list->count; i++) bytes_free(&list->items[i]);
    free(list->items);
    *list = (struct byte_list){0};
}

static int value_of(char character) {
    const char *place = character == '\0' ? NULL : strchr(alphabet, character);
    return place == NULL ? -1 : (int)(place - alphabet);
}

bool base64_decode(const char *text, size_t length, struct bytes *out) {
    *out = (struct bytes){0};
    if (length % 4 != 0) return false;
    size_t padding = 0;
    while (padding < 2 && padding < length && text[length - 1 - padding] == '=') padding += 1;
    uint8_t *data = must_allocate(length / 4 * 3);
    size_t size = 0;
    uint32_t bits = 0;
    for (size_t i = 0; i < length; i++) {
        int value = i >= length - padding ? 0 : value_of(text[i]);
        if (value < 0) {
            free(data);
            return false;
        }
        bits = bits << 6 | (uint32_t)value;
        if (i % 4 != 3) continue;
        data[size++] = (uint8_t)(bits >> 16);
        data[size++] = (uint8_t)(bits >> 8);
        data[size++] = (uint8_t)bits;
    }
    *out = (struct bytes){data, size - padding};
    return true;
}

json_t *json_base64(const uint8_t *data, size_t size) {
    char *text = must_allocate(size / 3 * 4 + 5);
    size_t length = 0;
    for (size_t i = 0; i < size; i += 3) {
        size_t left = size - i;
        uint32_t bits = (uint32_t)data[i] << 16;
        if (left > 1) bits |= (uint32_t)data[i + 1] << 8;
        if (left > 2) bits |= data[i + 2];
        text[length++] = alphabet[bits >> 18];
        text[length++] = alphabet[bits >> 12 & 63];
        text[length++] = left > 1 ? alphabet[bits >> 6 & 63] : '=';
        text[length++] = left > 2 ? alphabet[bits & 63] : '=';
    }
    json_t *string = json_stringn_nocheck(text, length);
    free(text);
    return string;
}
