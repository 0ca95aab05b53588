#include "CProbeBoringSSL.h"

#include <CNIOBoringSSL.h>

int cprobe_boringssl_sha256_rounds(const uint8_t *bytes, size_t count, long rounds, uint8_t digest[32]) {
    for (long i = 0; i < rounds; i++) SHA256(bytes, count, digest);
    return 1;
}

int cprobe_boringssl_key_sha256_rounds(const uint8_t *der, size_t count, long rounds, uint8_t digest[32]) {
    for (long i = 0; i < rounds; i++) {
        const uint8_t *next = der;
        X509 *certificate = d2i_X509(NULL, &next, (long)count);
        if (certificate == NULL) return 0;
        uint8_t *key = NULL;
        int length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &key);
        if (length > 0) SHA256(key, (size_t)length, digest);
        OPENSSL_free(key);
        X509_free(certificate);
        if (length <= 0) return 0;
    }
    return 1;
}
