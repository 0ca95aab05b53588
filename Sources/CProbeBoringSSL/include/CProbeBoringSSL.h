#ifndef CPROBE_BORINGSSL_H
#define CPROBE_BORINGSSL_H

#include <stddef.h>
#include <stdint.h>

#include "CProbeBoringSSLHandshake.h"

// What the hash path is measured against: BoringSSL from C. Both return 1, or 0 when BoringSSL fails.

// SHA-256 of `count` bytes, `rounds` times over, by the function that the digester calls.
int cprobe_boringssl_sha256_rounds(const uint8_t *bytes, size_t count, long rounds, uint8_t digest[32]);

// SHA-256 of a certificate's SubjectPublicKeyInfo by way of the certificate parser, `rounds` times over.
int cprobe_boringssl_key_sha256_rounds(const uint8_t *der, size_t count, long rounds, uint8_t digest[32]);

#endif
