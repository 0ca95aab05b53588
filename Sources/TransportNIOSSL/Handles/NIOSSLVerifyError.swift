import CNIOBoringSSL
import ProbeKit

/// One error of `X509_verify_cert`, with our cause for it.
struct NIOSSLVerifyError: Hashable {
    let code: CInt
    let depth: Int
    /// True if it is about a leaf that signed itself. BoringSSL has a code for that only if the leaf is also a CA.
    let isSelfSignedLeaf: Bool

    var message: String { unsafe String(cString: X509_verify_cert_error_string(Int(code))) }

    /// The constant's name for the codes a TLS chain can produce, else the number.
    var name: String { Self.known[code]?.name ?? "X509_V_ERR \(code)" }

    var cause: TrustCause {
        let cause = Self.known[code]?.cause ?? .other
        return cause == .unknownIssuer && isSelfSignedLeaf ? .selfSigned : cause
    }

    /// The error as one of our problems.
    var problem: TrustReading.Problem { .init(cause, message, nativeCode: name, depth: depth) }

    private static let known: [CInt: (name: String, cause: TrustCause)] = [
        X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT: ("X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT", .unknownIssuer),
        X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
            ("X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY", .unknownIssuer),
        X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE: ("X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE", .unknownIssuer),
        X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN: ("X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN", .unknownIssuer),
        X509_V_ERR_CERT_UNTRUSTED: ("X509_V_ERR_CERT_UNTRUSTED", .unknownIssuer),
        X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT: ("X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT", .selfSigned),
        X509_V_ERR_CERT_SIGNATURE_FAILURE: ("X509_V_ERR_CERT_SIGNATURE_FAILURE", .badSignature),
        X509_V_ERR_CERT_HAS_EXPIRED: ("X509_V_ERR_CERT_HAS_EXPIRED", .expired),
        X509_V_ERR_CERT_NOT_YET_VALID: ("X509_V_ERR_CERT_NOT_YET_VALID", .notYetValid),
        X509_V_ERR_HOSTNAME_MISMATCH: ("X509_V_ERR_HOSTNAME_MISMATCH", .hostnameMismatch),
        X509_V_ERR_IP_ADDRESS_MISMATCH: ("X509_V_ERR_IP_ADDRESS_MISMATCH", .hostnameMismatch),
        X509_V_ERR_INVALID_PURPOSE: ("X509_V_ERR_INVALID_PURPOSE", .wrongPurpose),
        X509_V_ERR_INVALID_CA: ("X509_V_ERR_INVALID_CA", .constraintViolated),
        X509_V_ERR_INVALID_NON_CA: ("X509_V_ERR_INVALID_NON_CA", .constraintViolated),
        X509_V_ERR_KEYUSAGE_NO_CERTSIGN: ("X509_V_ERR_KEYUSAGE_NO_CERTSIGN", .constraintViolated),
        X509_V_ERR_PATH_LENGTH_EXCEEDED: ("X509_V_ERR_PATH_LENGTH_EXCEEDED", .constraintViolated),
        X509_V_ERR_CERT_CHAIN_TOO_LONG: ("X509_V_ERR_CERT_CHAIN_TOO_LONG", .constraintViolated),
        X509_V_ERR_PERMITTED_VIOLATION: ("X509_V_ERR_PERMITTED_VIOLATION", .constraintViolated),
        X509_V_ERR_EXCLUDED_VIOLATION: ("X509_V_ERR_EXCLUDED_VIOLATION", .constraintViolated),
        X509_V_ERR_NAME_CONSTRAINTS_WITHOUT_SANS:
            ("X509_V_ERR_NAME_CONSTRAINTS_WITHOUT_SANS", .constraintViolated),
        X509_V_ERR_SUBTREE_MINMAX: ("X509_V_ERR_SUBTREE_MINMAX", .constraintViolated),
        X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE: ("X509_V_ERR_UNSUPPORTED_CONSTRAINT_TYPE", .constraintViolated),
        X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX: ("X509_V_ERR_UNSUPPORTED_CONSTRAINT_SYNTAX", .constraintViolated),
        X509_V_ERR_UNSUPPORTED_NAME_SYNTAX: ("X509_V_ERR_UNSUPPORTED_NAME_SYNTAX", .constraintViolated),
        X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION: ("X509_V_ERR_UNHANDLED_CRITICAL_EXTENSION", .constraintViolated),
        X509_V_ERR_CERT_REJECTED: ("X509_V_ERR_CERT_REJECTED", .wrongPurpose),
        X509_V_ERR_CERT_REVOKED: ("X509_V_ERR_CERT_REVOKED", .revoked),
        X509_V_ERR_CRL_HAS_EXPIRED: ("X509_V_ERR_CRL_HAS_EXPIRED", .other),
        X509_V_ERR_CRL_NOT_YET_VALID: ("X509_V_ERR_CRL_NOT_YET_VALID", .other),
        X509_V_ERR_CRL_SIGNATURE_FAILURE: ("X509_V_ERR_CRL_SIGNATURE_FAILURE", .other),
        X509_V_ERR_KEYUSAGE_NO_CRL_SIGN: ("X509_V_ERR_KEYUSAGE_NO_CRL_SIGN", .other),
        X509_V_ERR_UNABLE_TO_GET_CRL_ISSUER: ("X509_V_ERR_UNABLE_TO_GET_CRL_ISSUER", .other),
        X509_V_ERR_UNHANDLED_CRITICAL_CRL_EXTENSION: ("X509_V_ERR_UNHANDLED_CRITICAL_CRL_EXTENSION", .other),
        X509_V_ERR_INVALID_EXTENSION: ("X509_V_ERR_INVALID_EXTENSION", .malformed),
        X509_V_ERR_ERROR_IN_CERT_NOT_BEFORE_FIELD: ("X509_V_ERR_ERROR_IN_CERT_NOT_BEFORE_FIELD", .malformed),
        X509_V_ERR_ERROR_IN_CERT_NOT_AFTER_FIELD: ("X509_V_ERR_ERROR_IN_CERT_NOT_AFTER_FIELD", .malformed),
        X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY: ("X509_V_ERR_UNABLE_TO_DECODE_ISSUER_PUBLIC_KEY", .malformed),
        X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE: ("X509_V_ERR_UNABLE_TO_DECRYPT_CERT_SIGNATURE", .badSignature),
        X509_V_ERR_INVALID_POLICY_EXTENSION: ("X509_V_ERR_INVALID_POLICY_EXTENSION", .malformed),
        X509_V_ERR_NO_EXPLICIT_POLICY: ("X509_V_ERR_NO_EXPLICIT_POLICY", .constraintViolated),
        X509_V_ERR_UNSPECIFIED: ("X509_V_ERR_UNSPECIFIED", .other),
    ]
}
