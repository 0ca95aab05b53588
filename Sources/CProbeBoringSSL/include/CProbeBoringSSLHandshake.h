#ifndef CPROBE_BORINGSSL_HANDSHAKE_H
#define CPROBE_BORINGSSL_HANDSHAKE_H

#include <stddef.h>
#include <stdint.h>

// A bare client of BoringSSL: what the transport's handshake is measured against.

typedef struct cprobe_boringssl_client cprobe_boringssl_client;

// A client that trusts one authority; NULL when it can't be made.
cprobe_boringssl_client *cprobe_boringssl_floor_context(const uint8_t *anchor, long count);
void cprobe_boringssl_floor_context_free(cprobe_boringssl_client *client);

// One connection from beginning to end; 1 when the chain was accepted.
int cprobe_boringssl_floor_handshake(cprobe_boringssl_client *client, uint16_t port, const char *name);

#endif
