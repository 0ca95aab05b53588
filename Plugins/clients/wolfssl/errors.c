#include "errors.h"

#include <wolfssl/options.h>
#include <wolfssl/error-ssl.h>
#include <wolfssl/ssl.h>
#include <wolfssl/wolfcrypt/error-crypt.h>
#include <stddef.h>
#include <stdio.h>

#define NAMED(error, cause) {error, #error, cause}

static const struct {
    int error;
    const char *name, *cause;
} meanings[] = {
    NAMED(ASN_AFTER_DATE_E, "expired"),
    NAMED(ASN_BEFORE_DATE_E, "not-yet-valid"),
    NAMED(ASN_NO_SIGNER_E, "unknown-issuer"),
    NAMED(ASN_SELF_SIGNED_E, "self-signed"),
    NAMED(ASN_SIG_CONFIRM_E, "bad-signature"),
    NAMED(ASN_SIG_OID_E, "malformed"),
    NAMED(ASN_SIG_KEY_E, "bad-signature"),
    NAMED(ASN_SIG_HASH_E, "weak-signature"),
    NAMED(HASH_TYPE_E, "weak-signature"),
    NAMED(RSA_KEY_SIZE_E, "weak-key"),
    NAMED(ECC_KEY_SIZE_E, "weak-key"),
    NAMED(DOMAIN_NAME_MISMATCH, "hostname-mismatch"),
    NAMED(IPADDR_MISMATCH, "hostname-mismatch"),
    NAMED(EXTKEYUSE_AUTH_E, "wrong-purpose"),
    NAMED(KEYUSE_SIGNATURE_E, "wrong-purpose"),
    NAMED(KEYUSE_ENCIPHER_E, "wrong-purpose"),
    NAMED(KEYUSAGE_E, "constraint-violated"),
    NAMED(NOT_CA_ERROR, "constraint-violated"),
    NAMED(ASN_PATHLEN_INV_E, "constraint-violated"),
    NAMED(ASN_PATHLEN_SIZE_E, "constraint-violated"),
    NAMED(ASN_NAME_INVALID_E, "constraint-violated"),
    NAMED(ASN_CRIT_EXT_E, "constraint-violated"),
    NAMED(MAX_CHAIN_ERROR, "constraint-violated"),
    NAMED(HANDSHAKE_SIZE_ERROR, "too-complex"),
    NAMED(DECODE_E, "too-complex"), // More certificates than it takes leave a rest of their message.
    NAMED(ASN_PARSE_E, "malformed"),
    NAMED(ASN_VERSION_E, "malformed"),
    NAMED(ASN_GETINT_E, "malformed"),
    NAMED(ASN_RSA_KEY_E, "malformed"),
    NAMED(ASN_OBJECT_ID_E, "malformed"),
    NAMED(ASN_TAG_NULL_E, "malformed"),
    NAMED(ASN_EXPECT_0_E, "malformed"),
    NAMED(ASN_BITSTR_E, "malformed"),
    NAMED(ASN_UNKNOWN_OID_E, "malformed"),
    NAMED(ASN_DATE_SZ_E, "malformed"),
    NAMED(ASN_TIME_E, "malformed"),
    NAMED(ASN_INPUT_E, "malformed"),
    NAMED(ASN_ECC_KEY_E, "malformed"),
    NAMED(BUFFER_E, "malformed"),
    NAMED(BUFFER_ERROR, "malformed"),
    NAMED(PEER_KEY_ERROR, "malformed"),
    NAMED(CERTPOLICIES_E, "malformed"),
    NAMED(ALGO_ID_E, "other"),
    NAMED(FATAL_ERROR, "other"),
    NAMED(SOCKET_ERROR_E, "other"),
    NAMED(SOCKET_PEER_CLOSED_E, "other"),
    NAMED(ZERO_RETURN, "other"),
    NAMED(VERSION_ERROR, "other"),
    NAMED(UNSUPPORTED_SUITE, "other"),
    NAMED(MATCH_SUITE_ERROR, "other"),
    NAMED(VERIFY_SIGN_ERROR, "other"),
    NAMED(VERIFY_FINISHED_ERROR, "other"),
    NAMED(DECRYPT_ERROR, "other"),
    NAMED(PARSE_ERROR, "other"),
    NAMED(LENGTH_ERROR, "other"),
    NAMED(OUT_OF_ORDER_E, "other"),
    NAMED(SANITY_MSG_E, "other"),
    NAMED(INVALID_PARAMETER, "other"),
    NAMED(UNKNOWN_RECORD_TYPE, "other"),
    NAMED(UNKNOWN_HANDSHAKE_TYPE, "other"),
    NAMED(UNKNOWN_ALPN_PROTOCOL_NAME_E, "other"),
    NAMED(ALERT_COUNT_E, "other"),
    NAMED(KEY_SHARE_ERROR, "other"),
    NAMED(EXT_NOT_ALLOWED, "other"),
    NAMED(EXT_MISSING, "other"),
    NAMED(UNSUPPORTED_EXTENSION, "other"),
    NAMED(DUPLICATE_MSG_E, "other"),
};
enum { meanings_count = sizeof meanings / sizeof *meanings };

const char *error_code(int error) {
    static char number[16];
    for (size_t i = 0; i < meanings_count; i++) {
        if (meanings[i].error == error) return meanings[i].name;
    }
    snprintf(number, sizeof number, "%d", error);
    return number;
}

const char *error_words(int error) {
    return wolfSSL_ERR_reason_error_string((unsigned long)error);
}

const char *error_cause(int error) {
    for (size_t i = 0; i < meanings_count; i++) {
        if (meanings[i].error == error) return meanings[i].cause;
    }
    return "other";
}

int error_of_callback(int error) {
    switch (error) {
    case X509_V_ERR_ERROR_IN_CERT_NOT_BEFORE_FIELD: return ASN_BEFORE_DATE_E;
    case X509_V_ERR_ERROR_IN_CERT_NOT_AFTER_FIELD: return ASN_AFTER_DATE_E;
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY: return ASN_NO_SIGNER_E;
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: return ASN_SELF_SIGNED_E;
    case X509_V_ERR_PATH_LENGTH_EXCEEDED: return ASN_PATHLEN_INV_E;
    case X509_V_ERR_CERT_SIGNATURE_FAILURE: return ASN_SIG_CONFIRM_E;
    default: return error;
    }
}
