#ifndef CPROBE_BORINGSSL_H
#define CPROBE_BORINGSSL_H

#include <stddef.h>
#include <stdint.h>

#include "CProbeBoringSSLHandshake.h"
#include "CProbeBoringSSLServer.h"

// SHA-256 of whole blocks at two places, the second of which are the message's end; as big-endian words.
void cprobe_boringssl_sha256_blocks(
    const uint8_t *blocks, size_t count, const uint8_t *end, size_t end_count, uint64_t words[4]);

// The baseline for the hash path: BoringSSL from C. Both return 1, or 0 when BoringSSL fails.

// SHA-256 of `count` bytes, `rounds` times over.
int cprobe_boringssl_sha256_rounds(const uint8_t *bytes, size_t count, long rounds, uint8_t digest[32]);

// SHA-256 of a certificate's SubjectPublicKeyInfo by way of the certificate parser, `rounds` times over.
int cprobe_boringssl_key_sha256_rounds(const uint8_t *der, size_t count, long rounds, uint8_t digest[32]);

#endif
