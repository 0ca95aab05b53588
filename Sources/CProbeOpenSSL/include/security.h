#ifndef CPROBE_OPENSSL_SECURITY_H
#define CPROBE_OPENSSL_SECURITY_H

// The rule by which a context judges the strength of what it negotiates: the library's own, with two exceptions.

#include <openssl/dh.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>

// The most bits of a Diffie-Hellman modulus. OpenSSL computes with up to 10,000, and takes seconds for them.
#define CPROBE_MODULUS_BITS 8192

// The bits of security that certificates need, those of level 1: the trust decision refuses weak ones.
#define CPROBE_CERTIFICATE_SECURITY 80

typedef int (*cprobe_security_rule)(const SSL *, const SSL_CTX *, int, int, int, void *, void *);

// Bounds the modulus before anything is computed with it. `library` is the library's own rule.
static inline int cprobe_bound_modulus(
    const SSL *ssl, const SSL_CTX *context, int operation, int bits, int nid, void *subject, void *library
) {
    if (operation == SSL_SECOP_TMP_DH && subject != NULL && EVP_PKEY_get_bits(subject) > CPROBE_MODULUS_BITS) {
        // The first error counts; OpenSSL adds that the key is too small.
        ERR_raise(ERR_LIB_DH, DH_R_MODULUS_TOO_LARGE);
        return 0;
    }
    return ((cprobe_security_rule)library)(ssl, context, operation, bits, nid, subject, NULL);
}

// Does the same, and takes certificates at level 1, whatever the context's.
static inline int cprobe_take_certificates(
    const SSL *ssl, const SSL_CTX *context, int operation, int bits, int nid, void *subject, void *library
) {
    int is_certificate = (operation & SSL_SECOP_OTHER_TYPE) == SSL_SECOP_OTHER_CERT;
    if (is_certificate && bits >= CPROBE_CERTIFICATE_SECURITY) return 1;
    return cprobe_bound_modulus(ssl, context, operation, bits, nid, subject, library);
}

// Sets the rule of a context, and of the connections that it makes from then on.
static inline void cprobe_ctx_set_security_rule(SSL_CTX *context, int takes_certificates) {
    SSL_CTX_set0_security_ex_data(context, (void *)SSL_CTX_get_security_callback(context));
    SSL_CTX_set_security_callback(context, takes_certificates ? cprobe_take_certificates : cprobe_bound_modulus);
}

static inline int cprobe_is_large_modulus(unsigned long error) {
    return ERR_GET_LIB(error) == ERR_LIB_DH && ERR_GET_REASON(error) == DH_R_MODULUS_TOO_LARGE;
}

#endif
