#ifndef CPROBE_GNUTLS_SHIM_H
#define CPROBE_GNUTLS_SHIM_H

#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/ocsp.h>
#include <gnutls/pkcs11.h>
#include <gnutls/x509.h>

#include "handshake_floor.h"

// The baseline of measurements: the digester's function, called from C.
static inline int cprobe_gnutls_sha256_rounds(const void *bytes, size_t count, long rounds, void *digest) {
    int result = 0;
    for (long i = 0; i < rounds && result == 0; i++)
        result = gnutls_hash_fast(GNUTLS_DIG_SHA256, bytes, count, digest);
    return result;
}

// A key's digest by way of the certificate parser, as a program without a reader of its own computes it.
static inline int cprobe_gnutls_key_sha256_rounds(const void *der, unsigned count, long rounds, unsigned char *digest) {
    const gnutls_datum_t bytes = {(unsigned char *)der, count};
    int result = 0;
    for (long i = 0; i < rounds && result == 0; i++) {
        gnutls_x509_crt_t certificate;
        result = gnutls_x509_crt_init(&certificate);
        if (result != 0) return result;
        result = gnutls_x509_crt_import(certificate, &bytes, GNUTLS_X509_FMT_DER);
        size_t size = 32;
        if (result == 0)
            result = gnutls_x509_crt_get_key_id(certificate, GNUTLS_KEYID_USE_SHA256, digest, &size);
        gnutls_x509_crt_deinit(certificate);
    }
    return result;
}

/// `gnutls_free` is a macro around a mutable global, which Swift can't call.
void cprobe_gnutls_free(void *memory);

/// `GNUTLS_PROFILE_TO_VFLAGS` as a function.
static inline unsigned int cprobe_gnutls_profile_flags(gnutls_certificate_verification_profiles_t profile) {
    return GNUTLS_PROFILE_TO_VFLAGS(profile);
}

// Opens the library. NULL, or why it can't be used on this machine.
const char *cprobe_gnutls_fault(void);

#endif
