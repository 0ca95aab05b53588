#include <gnutls/abstract.h>
#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/ocsp.h>
#include <gnutls/x509.h>

/// `gnutls_free` is a macro around a mutable global, which Swift can't call.
static inline void cprobe_gnutls_free(void *memory) { gnutls_free(memory); }

/// `GNUTLS_PROFILE_TO_VFLAGS` as a function.
static inline unsigned int cprobe_gnutls_profile_flags(gnutls_certificate_verification_profiles_t profile) {
    return GNUTLS_PROFILE_TO_VFLAGS(profile);
}
