package import ProbeKit

/// Our causes for the errors of `X509_verify_cert`, which OpenSSL and BoringSSL name alike: one judgement for both.
package enum X509Cause {
    /// Returns the cause of an error by its constant's name; `other` where it has none of its own.
    package static func named(_ name: String) -> TrustCause { causes[name] ?? .other }

    private static let causes: [String: TrustCause] = [
        "X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT": .unknownIssuer,
        "X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY": .unknownIssuer,
        "X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE": .unknownIssuer,
        "X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN": .unknownIssuer,
        "X509_V_ERR_CERT_UNTRUSTED": .unknownIssuer,
        "X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT": .selfSigned,
        "X509_V_ERR_CERT_SIGNATURE_FAILURE": .badSignature,
        "X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE": .badSignature,
        "X509_V_ERR_CERT_HAS_EXPIRED": .expired,
        "X509_V_ERR_CERT_NOT_YET_VALID": .notYetValid,
        "X509_V_ERR_HOSTNAME_MISMATCH": .hostnameMismatch,
        "X509_V_ERR_IP_ADDRESS_MISMATCH": .hostnameMismatch,
        "X509_V_ERR_EE_KEY_TOO_SMALL": .weakKey,
        "X509_V_ERR_CA_KEY_TOO_SMALL": .weakKey,
        "X509_V_ERR_EC_KEY_EXPLICIT_PARAMS": .weakKey,
        "X509_V_ERR_CA_MD_TOO_WEAK": .weakSignature,
        "X509_V_ERR_INVALID_PURPOSE": .wrongPurpose,
        "X509_V_ERR_CERT_REJECTED": .wrongPurpose,
        "X509_V_ERR_INVALID_CA": .constraintViolated,
        "X509_V_ERR_INVALID_NON_CA": .constraintViolated,
        "X509_V_ERR_KEYUSAGE_NO_CERTSIGN": .constraintViolated,
        "X509_V_ERR_PATH_LENGTH_EXCEEDED": .constraintViolated,
        "X509_V_ERR_CERT_CHAIN_TOO_LONG": .constraintViolated,
        "X509_V_ERR_PERMITTED_VIOLATION": .constraintViolated,
        "X509_V_ERR_EXCLUDED_VIOLATION": .constraintViolated,
        "X509_V_ERR_SUBTREE_MINMAX": .constraintViolated,
        "X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE": .constraintViolated,
        "X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX": .constraintViolated,
        "X509_V_ERR_UNSUPPORTED_NAME_SYNTAX": .constraintViolated,
        "X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION": .constraintViolated,
        "X509_V_ERR_NO_EXPLICIT_POLICY": .constraintViolated,
        "X509_V_ERR_NAME_CONSTRAINTS_WITHOUT_SANS": .constraintViolated,
        "X509_V_ERR_CERT_REVOKED": .revoked,
        "X509_V_ERR_INVALID_POLICY_EXTENSION": .malformed,
        "X509_V_ERR_INVALID_EXTENSION": .malformed,
        "X509_V_ERR_ERROR_IN_CERT_NOT_BEFORE_FIELD": .malformed,
        "X509_V_ERR_ERROR_IN_CERT_NOT_AFTER_FIELD": .malformed,
        "X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY": .malformed,
    ]
}
