#ifndef CPROBE_OPENSSL_SHIM_H
#define CPROBE_OPENSSL_SHIM_H

#include <openssl/bio.h>
#include <openssl/cms.h>
#include <openssl/crypto.h>
#include <openssl/ct.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/objects.h>
#include <openssl/sha.h>
#include <openssl/pem.h>
#include <openssl/pkcs12.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509_vfy.h>
#include <openssl/x509v3.h>

#include "handshake_floor.h"
#include "security.h"

// Macros that Swift can't call, and callbacks that hold no state of ours.

static inline long cprobe_ssl_set_server_name(SSL *ssl, const char *name) {
    return SSL_set_tlsext_host_name(ssl, name);
}

static inline long cprobe_ssl_ask_for_ocsp(SSL *ssl) {
    return SSL_set_tlsext_status_type(ssl, TLSEXT_STATUSTYPE_ocsp);
}

// The stapled response stays the connection's; -1 when there is none.
static inline long cprobe_ssl_ocsp_response(SSL *ssl, const unsigned char **response) {
    return SSL_get_tlsext_status_ocsp_resp(ssl, response);
}

static inline long cprobe_ssl_set_max_certificate_list(SSL *ssl, long bytes) {
    return SSL_set_max_cert_list(ssl, bytes);
}

static inline int cprobe_ssl_set_versions(SSL *ssl, int minimum, int maximum) {
    return SSL_set_min_proto_version(ssl, minimum) && SSL_set_max_proto_version(ssl, maximum);
}

static inline int cprobe_ssl_group_nid(SSL *ssl) {
    return (int)SSL_get_negotiated_group(ssl);
}

// The lists of an offer, for a connection or for a context; NULL leaves the library's own. Cipher suites of TLS 1.3 are a
// list of their own. A list without suites of TLS 1.2 is set although the library complains about it.
static inline int cprobe_ssl_set_groups(SSL *ssl, const char *groups) { return SSL_set1_groups_list(ssl, groups); }
static inline int cprobe_ssl_set_signatures(SSL *ssl, const char *names) { return SSL_set1_sigalgs_list(ssl, names); }
static inline int cprobe_ctx_set_groups(SSL_CTX *ctx, const char *groups) {
    return SSL_CTX_set1_groups_list(ctx, groups);
}
static inline int cprobe_ctx_set_signatures(SSL_CTX *ctx, const char *names) {
    return SSL_CTX_set1_sigalgs_list(ctx, names);
}

// The library's name of a cipher suite; NULL for one that it does not have.
static inline const char *cprobe_cipher_name(SSL *ssl, uint16_t number) {
    unsigned char bytes[2] = {(unsigned char)(number >> 8), (unsigned char)(number & 0xff)};
    const SSL_CIPHER *cipher = SSL_CIPHER_find(ssl, bytes);
    return cipher == NULL ? NULL : SSL_CIPHER_get_name(cipher);
}

// Every report is of a full handshake, and one handshake is all there is.
static inline uint64_t cprobe_full_handshake_options(void) { return SSL_OP_NO_TICKET | SSL_OP_NO_RENEGOTIATION; }
static inline uint64_t cprobe_ticket_option(void) { return SSL_OP_NO_TICKET; }

// The key type and the digest of the signature that the server made; NID_undef where it made none.
static inline int cprobe_ssl_signature_type(SSL *ssl) {
    int nid = NID_undef;
    return SSL_get_peer_signature_type_nid(ssl, &nid) == 1 ? nid : NID_undef;
}
static inline int cprobe_ssl_signature_digest(SSL *ssl) {
    int nid = NID_undef;
    return SSL_get_peer_signature_nid(ssl, &nid) == 1 ? nid : NID_undef;
}
static inline int cprobe_ssl_has_pss_key(SSL *ssl) {
    X509 *leaf = SSL_get0_peer_certificate(ssl);
    EVP_PKEY *key = leaf == NULL ? NULL : X509_get0_pubkey(leaf);
    return key != NULL && EVP_PKEY_is_a(key, "RSA-PSS");
}

static inline int cprobe_reason(unsigned long error) { return ERR_GET_REASON(error); }
static inline int cprobe_is_ssl_error(unsigned long error) { return ERR_GET_LIB(error) == ERR_LIB_SSL; }
static inline int cprobe_is_cms_error(unsigned long error) { return ERR_GET_LIB(error) == ERR_LIB_CMS; }
static inline int cprobe_is_end_of_pem(unsigned long error) {
    return ERR_GET_LIB(error) == ERR_LIB_PEM && ERR_GET_REASON(error) == PEM_R_NO_START_LINE;
}
static inline int cprobe_alert_offset(void) { return SSL_AD_REASON_OFFSET; }

static inline STACK_OF(X509) *cprobe_certificates_new(void) { return sk_X509_new_null(); }
static inline int cprobe_certificates_push(STACK_OF(X509) *stack, X509 *certificate) {
    return sk_X509_push(stack, certificate);
}
static inline int cprobe_certificates_count(const STACK_OF(X509) *stack) { return sk_X509_num(stack); }
static inline X509 *cprobe_certificate_at(const STACK_OF(X509) *stack, int index) {
    return sk_X509_value(stack, index);
}
// Frees the stack and not the certificates in it.
static inline void cprobe_certificates_free(STACK_OF(X509) *stack) { sk_X509_free(stack); }

static inline int cprobe_scts_count(const STACK_OF(SCT) *scts) { return sk_SCT_num(scts); }
static inline const SCT *cprobe_sct_at(const STACK_OF(SCT) *scts, int index) { return sk_SCT_value(scts, index); }

static inline int cprobe_x509_names_count(const STACK_OF(X509_NAME) *names) { return sk_X509_NAME_num(names); }
static inline const X509_NAME *cprobe_x509_name_at(const STACK_OF(X509_NAME) *names, int index) {
    return sk_X509_NAME_value(names, index);
}

// Trust is judged after the handshake, on the whole chain: the handshake itself takes every certificate.
static inline int cprobe_take_any_chain(X509_STORE_CTX *context, void *unused) {
    (void)context;
    (void)unused;
    return 1;
}
static inline void cprobe_ctx_take_any_chain(SSL_CTX *context) {
    SSL_CTX_set_cert_verify_callback(context, cprobe_take_any_chain, NULL);
}

// Asks for SCTs; what they are worth is not the handshake's to decide.
static inline int cprobe_take_any_scts(const CT_POLICY_EVAL_CTX *context, const STACK_OF(SCT) *scts, void *unused) {
    (void)context;
    (void)scts;
    (void)unused;
    return 1;
}
static inline int cprobe_ssl_ask_for_scts(SSL *ssl) {
    return SSL_set_ct_validation_callback(ssl, cprobe_take_any_scts, NULL);
}

// Adds a certificate to those sent after the client's own.
static inline int cprobe_ssl_add_issuer(SSL *ssl, X509 *issuer) { return SSL_add1_chain_cert(ssl, issuer) == 1; }
static inline int cprobe_ctx_add_issuer(SSL_CTX *context, X509 *issuer) {
    return SSL_CTX_add1_chain_cert(context, issuer) == 1;
}

// Contexts that someone else made: a slot of our own, since index 0 may be theirs.
static inline int cprobe_ctx_new_slot(void) { return SSL_CTX_get_ex_new_index(0, NULL, NULL, NULL, NULL); }
static inline void cprobe_ctx_set_slot(SSL_CTX *context, int slot, void *data) {
    SSL_CTX_set_ex_data(context, slot, data);
}
static inline void *cprobe_ssl_context_slot(const SSL *ssl, int slot) {
    SSL_CTX *context = SSL_get_SSL_CTX(ssl);
    return context == NULL ? NULL : SSL_CTX_get_ex_data(context, slot);
}
static inline void cprobe_ssl_set_message_data(SSL *ssl, void *data) { SSL_set_msg_callback_arg(ssl, data); }
static inline void cprobe_ctx_set_message_data(SSL_CTX *context, void *data) {
    SSL_CTX_set_msg_callback_arg(context, data);
}
static inline void cprobe_ctx_set_max_certificate_list(SSL_CTX *context, long bytes) {
    SSL_CTX_set_max_cert_list(context, bytes);
}
static inline void cprobe_ctx_ask_for_ocsp(SSL_CTX *context) {
    SSL_CTX_set_tlsext_status_type(context, TLSEXT_STATUSTYPE_ocsp);
}
static inline int cprobe_ctx_ask_for_scts(SSL_CTX *context) {
    return SSL_CTX_set_ct_validation_callback(context, cprobe_take_any_scts, NULL);
}

// The default security level of a client here: the library's, or the system policy's.
static inline int cprobe_default_security_level(void) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    int level = context == NULL ? 2 : SSL_CTX_get_security_level(context);
    SSL_CTX_free(context);
    return level;
}

// The versions between which a client here stays by the system policy; 0 for an end that it leaves open.
static inline void cprobe_default_versions(int *minimum, int *maximum) {
    SSL_CTX *context = SSL_CTX_new(TLS_client_method());
    *minimum = context == NULL ? 0 : (int)SSL_CTX_get_min_proto_version(context);
    *maximum = context == NULL ? 0 : (int)SSL_CTX_get_max_proto_version(context);
    SSL_CTX_free(context);
}

// SHA-256 on the stack. These functions are deprecated in favour of EVP, which looks its algorithm up at every one-shot
// call and costs more than twice as much, or wants a context on the heap; the functions themselves are the same code.
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations"
static inline int cprobe_sha256(const void *bytes, size_t count, unsigned char *digest) {
    SHA256_CTX context;
    return SHA256_Init(&context) && SHA256_Update(&context, bytes, count) && SHA256_Final(digest, &context);
}

// The digest of whole blocks at two places, the second of which are the message's end; as big-endian words.
static inline int cprobe_sha256_blocks(
    const void *blocks, size_t count, const void *end, size_t end_count, uint64_t words[4]
) {
    SHA256_CTX context;
    if (!SHA256_Init(&context)) return 0;
    if (count != 0 && !SHA256_Update(&context, blocks, count)) return 0;
    if (!SHA256_Update(&context, end, end_count)) return 0;
    for (int i = 0; i < 4; i++) words[i] = (uint64_t)context.h[2 * i] << 32 | context.h[2 * i + 1];
    return 1;
}
#pragma clang diagnostic pop

// The baseline of measurements: OpenSSL's own functions for a message, called from C.
static inline int cprobe_sha256_rounds(const void *bytes, size_t count, long rounds, unsigned char *digest) {
    int done = 1;
    for (long i = 0; i < rounds; i++) done &= cprobe_sha256(bytes, count, digest);
    return done;
}

// A key's digest by way of the certificate parser, as a program without a reader of its own computes it.
static inline int cprobe_key_sha256_rounds(
    const unsigned char *der, long count, long rounds, unsigned char *digest
) {
    for (long i = 0; i < rounds; i++) {
        const unsigned char *next = der;
        X509 *certificate = d2i_X509(NULL, &next, count);
        if (certificate == NULL) return 0;
        unsigned char *key = NULL;
        int length = i2d_X509_PUBKEY(X509_get_X509_PUBKEY(certificate), &key);
        int done = length > 0 && cprobe_sha256(key, (size_t)length, digest);
        OPENSSL_free(key);
        X509_free(certificate);
        if (!done) return 0;
    }
    return 1;
}

static inline long cprobe_refuse_input(
    BIO *input, int operation, const char *bytes, size_t count, int argument, long long_argument, int result,
    size_t *processed
) {
    (void)bytes, (void)count, (void)argument, (void)long_argument, (void)processed;
    if (operation != BIO_CB_READ) return result;
    BIO_clear_retry_flags(input);
    return -1;
}
// From now on the connection's reads fail, whoever made its BIO: the way out of a call that reads as long as there is
// something.
static inline void cprobe_ssl_refuse_input(const SSL *ssl) {
    BIO *input = SSL_get_rbio(ssl);
    if (input != NULL) BIO_set_callback_ex(input, cprobe_refuse_input);
}

static inline void cprobe_free(void *memory) { OPENSSL_free(memory); }

// A certificate's subjectAltName; NULL when there is none that can be read. To be freed by the caller.
static inline GENERAL_NAMES *cprobe_alternative_names(const X509 *certificate) {
    return (GENERAL_NAMES *)X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL);
}
static inline int cprobe_names_count(const GENERAL_NAMES *names) { return sk_GENERAL_NAME_num(names); }
// The bytes of a DNS name or an address, which stay the name's; NULL for every other kind.
static inline const unsigned char *cprobe_name_bytes(const GENERAL_NAMES *names, int index, int *type, int *length) {
    const GENERAL_NAME *name = sk_GENERAL_NAME_value(names, index);
    *type = name->type;
    if (name->type != GEN_DNS && name->type != GEN_IPADD) return NULL;
    const ASN1_STRING *string = name->type == GEN_DNS ? name->d.dNSName : name->d.iPAddress;
    *length = ASN1_STRING_length(string);
    return ASN1_STRING_get0_data(string);
}

static inline void cprobe_store_ctx_set_data(X509_STORE_CTX *context, void *data) {
    X509_STORE_CTX_set_app_data(context, data);
}
static inline void *cprobe_store_ctx_data(X509_STORE_CTX *context) { return X509_STORE_CTX_get_app_data(context); }

// Opens libcrypto and libssl. NULL, or why they can't be used on this machine.
const char *cprobe_openssl_fault(void);

#endif
