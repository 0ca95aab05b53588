#ifndef CPROBE_BORINGSSL_SERVER_H
#define CPROBE_BORINGSSL_SERVER_H

#include <stddef.h>
#include <stdint.h>

// One connection of a TLS server in memory. Its header names no type of BoringSSL's: a module that shows those can't be read
// beside OpenSSL's, whose types have the same names.

typedef struct cprobe_boringssl_server cprobe_boringssl_server;

// A server of these versions, as on the wire; NULL when it can't be made. It is freed with cprobe_boringssl_server_free.
cprobe_boringssl_server *cprobe_boringssl_server_new(uint16_t oldest, uint16_t newest);
void cprobe_boringssl_server_free(cprobe_boringssl_server *server);

// Each returns 1, or 0 when BoringSSL refuses. The certificates come before the key, the leaf first.
int cprobe_boringssl_server_add_certificate(cprobe_boringssl_server *server, const uint8_t *der, size_t count);
int cprobe_boringssl_server_set_key(cprobe_boringssl_server *server, const uint8_t *pem, size_t count);
int cprobe_boringssl_server_staple(cprobe_boringssl_server *server, const uint8_t *response, size_t count);
int cprobe_boringssl_server_send_timestamps(cprobe_boringssl_server *server, const uint8_t *list, size_t count);

// Takes bytes of the client.
void cprobe_boringssl_server_feed(cprobe_boringssl_server *server, const uint8_t *bytes, size_t count);

// Goes as far as they allow: the number of bytes that the client sent inside TLS, 0 if more are needed first, and -1 if the
// connection failed or the client closed it.
int cprobe_boringssl_server_read(cprobe_boringssl_server *server, uint8_t *bytes, int room);

// The bytes for the client: how many there are, and as many of them as there is room for.
size_t cprobe_boringssl_server_pending(const cprobe_boringssl_server *server);
int cprobe_boringssl_server_take(cprobe_boringssl_server *server, uint8_t *bytes, int room);

#endif
