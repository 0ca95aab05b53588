#include "causes.h"

#include <secerr.h>
#include <sslerr.h>
#include <stddef.h>

const char *cause_of(PRErrorCode error) {
    static const struct {
        PRErrorCode error;
        const char *cause;
    } causes[] = {
        {SEC_ERROR_BAD_DER, "malformed"},
        {SEC_ERROR_EXTENSION_VALUE_INVALID, "malformed"},
        {SEC_ERROR_INVALID_TIME, "malformed"},
        {SEC_ERROR_BAD_KEY, "malformed"},
        {SEC_ERROR_REUSED_ISSUER_AND_SERIAL, "malformed"},
        {SEC_ERROR_BAD_SIGNATURE, "bad-signature"},
        {SEC_ERROR_REVOKED_CERTIFICATE, "revoked"},
        {SEC_ERROR_UNKNOWN_ISSUER, "unknown-issuer"},
        {SEC_ERROR_UNTRUSTED_ISSUER, "unknown-issuer"},
        {SEC_ERROR_UNTRUSTED_CERT, "unknown-issuer"},
        {SEC_ERROR_CA_CERT_INVALID, "constraint-violated"},
        {SEC_ERROR_PATH_LEN_CONSTRAINT_INVALID, "constraint-violated"},
        {SEC_ERROR_CERT_NOT_IN_NAME_SPACE, "constraint-violated"},
        {SEC_ERROR_UNKNOWN_CRITICAL_EXTENSION, "constraint-violated"},
        {SEC_ERROR_POLICY_VALIDATION_FAILED, "constraint-violated"},
        {SEC_ERROR_INADEQUATE_KEY_USAGE, "wrong-purpose"},
        {SEC_ERROR_INADEQUATE_CERT_TYPE, "wrong-purpose"},
        {SEC_ERROR_CERT_SIGNATURE_ALGORITHM_DISABLED, "weak-signature"},
        {SEC_ERROR_EXPIRED_CERTIFICATE, "expired"},
        {SEC_ERROR_EXPIRED_ISSUER_CERTIFICATE, "expired"},
        {SEC_ERROR_CERT_NOT_VALID, "constraint-violated"},
        {SSL_ERROR_BAD_CERT_DOMAIN, "hostname-mismatch"},
    };
    for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
        if (causes[i].error == error) return causes[i].cause;
    }
    return "other";
}
