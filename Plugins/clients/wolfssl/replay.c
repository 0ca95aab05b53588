#include "replay.h"

#include <wolfssl/error-ssl.h>
#include <stdlib.h>
#include <string.h>

enum { HANDSHAKE = 22, CLIENT_HELLO = 1, SERVER_HELLO = 2, CERTIFICATE = 11 };
enum { header_size = 4, maximal_fragment = 16384, random_size = 32 };

/// The records that the object will read, of a peer that does not listen.
struct script {
    uint8_t *data;
    size_t size, place;
};

static void put(struct script *script, const void *data, size_t size) {
    if (size > 0) memcpy(script->data + script->size, data, size);
    script->size += size;
}

static void put_number(struct script *script, size_t number, int octets) {
    while (octets-- > 0) script->data[script->size++] = (uint8_t)(number >> 8 * octets);
}

/// Adds a message in as many records as it takes, to a script that has room for it.
static void put_message(struct script *script, uint8_t type, const uint8_t *body, size_t size) {
    struct script message = {.data = must_allocate(header_size + size)};
    put_number(&message, type, 1);
    put_number(&message, size, 3);
    put(&message, body, size);
    while (message.place < message.size) {
        size_t left = message.size - message.place, count = left < maximal_fragment ? left : maximal_fragment;
        put_number(script, HANDSHAKE, 1);
        put_number(script, TLS1_2_VERSION, 2);
        put_number(script, count, 2);
        put(script, message.data + message.place, count);
        message.place += count;
    }
    free(message.data);
}

static void put_hello(struct script *script, bool is_from_server, int suite) {
    uint8_t body[64];
    struct script hello = {.data = body};
    uint8_t random[random_size] = {0};
    put_number(&hello, TLS1_2_VERSION, 2);
    put(&hello, random, sizeof random);
    put_number(&hello, 0, 1); // No session.
    if (!is_from_server) put_number(&hello, 2, 2); // The size of the list of suites.
    put_number(&hello, (size_t)suite, 2);
    if (!is_from_server) put_number(&hello, 1, 1); // The size of the list of compressions.
    put_number(&hello, 0, 1); // No compression.
    put_message(script, is_from_server ? SERVER_HELLO : CLIENT_HELLO, body, hello.size);
}

static void put_chain(struct script *script, const struct byte_list *chain, size_t total) {
    struct script body = {.data = must_allocate(3 + total)};
    put_number(&body, total, 3);
    for (size_t i = 0; i < chain->count; i++) {
        put_number(&body, chain->items[i].size, 3);
        put(&body, chain->items[i].data, chain->items[i].size);
    }
    put_message(script, CERTIFICATE, body.data, body.size);
    free(body.data);
}

static int receive(WOLFSSL *ssl, char *buffer, int size, void *context) {
    (void)ssl;
    struct script *script = context;
    size_t left = script->size - script->place, count = (size_t)size < left ? (size_t)size : left;
    if (count == 0) return WOLFSSL_CBIO_ERR_WANT_READ;
    memcpy(buffer, script->data + script->place, count);
    script->place += count;
    return (int)count;
}

static int ignore(WOLFSSL *ssl, char *buffer, int size, void *context) {
    (void)ssl, (void)buffer, (void)context;
    return size;
}

int present(WOLFSSL *ssl, const struct byte_list *chain, int suite) {
    size_t total = 0;
    for (size_t i = 0; i < chain->count; i++) total += 3 + chain->items[i].size;
    if (total > 0xFFFFFF - 3) return HANDSHAKE_SIZE_ERROR; // There is no such message.
    size_t records = total / maximal_fragment + 3;
    struct script script = {.data = must_allocate(total + 128 + records * 5)};
    put_hello(&script, !wolfSSL_is_server(ssl), suite);
    put_chain(&script, chain, total);
    wolfSSL_SSLSetIORecv(ssl, receive);
    wolfSSL_SSLSetIOSend(ssl, ignore);
    wolfSSL_SetIOReadCtx(ssl, &script);
    int result = wolfSSL_is_server(ssl) ? wolfSSL_accept(ssl) : wolfSSL_connect(ssl);
    int error = wolfSSL_get_error(ssl, result);
    // It wants what comes next only where it took all there was.
    bool is_taken = error == WOLFSSL_ERROR_WANT_READ && script.place == script.size;
    free(script.data);
    return is_taken ? 0 : error;
}
