import CProbeGnuTLS
import ProbeKit

/// GnuTLS' verdict on certificates: the bits of `gnutls_certificate_status_t`.
struct GnuTLSStatus: OptionSet, Hashable, Sendable {
    let rawValue: UInt32

    init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    private init(_ bit: gnutls_certificate_status_t) {
        rawValue = bit.rawValue
    }

    static let invalid = GnuTLSStatus(GNUTLS_CERT_INVALID)
    static let signerNotFound = GnuTLSStatus(GNUTLS_CERT_SIGNER_NOT_FOUND)
    static let insecureAlgorithm = GnuTLSStatus(GNUTLS_CERT_INSECURE_ALGORITHM)
    static let unexpectedOwner = GnuTLSStatus(GNUTLS_CERT_UNEXPECTED_OWNER)
    static let purposeMismatch = GnuTLSStatus(GNUTLS_CERT_PURPOSE_MISMATCH)

    static let revoked = GnuTLSStatus(GNUTLS_CERT_REVOKED)
    static let missingStaple = GnuTLSStatus(GNUTLS_CERT_MISSING_OCSP_STATUS)
    static let invalidStaple = GnuTLSStatus(GNUTLS_CERT_INVALID_OCSP_STATUS)
    static let supersededStaple = GnuTLSStatus(GNUTLS_CERT_REVOCATION_DATA_SUPERSEDED)

    /// The name of each bit in `gnutls.h`, and the cause it maps to. ``invalid`` accompanies every other bit.
    private static let meanings: [(bit: gnutls_certificate_status_t, name: String, cause: TrustCause)] = [
        (GNUTLS_CERT_REVOKED, "GNUTLS_CERT_REVOKED", .revoked),
        (GNUTLS_CERT_SIGNER_NOT_FOUND, "GNUTLS_CERT_SIGNER_NOT_FOUND", .unknownIssuer),
        (GNUTLS_CERT_SIGNER_NOT_CA, "GNUTLS_CERT_SIGNER_NOT_CA", .constraintViolated),
        (GNUTLS_CERT_INSECURE_ALGORITHM, "GNUTLS_CERT_INSECURE_ALGORITHM", .weakSignature),
        (GNUTLS_CERT_NOT_ACTIVATED, "GNUTLS_CERT_NOT_ACTIVATED", .notYetValid),
        (GNUTLS_CERT_EXPIRED, "GNUTLS_CERT_EXPIRED", .expired),
        (GNUTLS_CERT_SIGNATURE_FAILURE, "GNUTLS_CERT_SIGNATURE_FAILURE", .badSignature),
        (GNUTLS_CERT_REVOCATION_DATA_SUPERSEDED, "GNUTLS_CERT_REVOCATION_DATA_SUPERSEDED", .other),
        (GNUTLS_CERT_UNEXPECTED_OWNER, "GNUTLS_CERT_UNEXPECTED_OWNER", .hostnameMismatch),
        (GNUTLS_CERT_REVOCATION_DATA_ISSUED_IN_FUTURE, "GNUTLS_CERT_REVOCATION_DATA_ISSUED_IN_FUTURE", .other),
        (GNUTLS_CERT_SIGNER_CONSTRAINTS_FAILURE, "GNUTLS_CERT_SIGNER_CONSTRAINTS_FAILURE", .constraintViolated),
        (GNUTLS_CERT_MISMATCH, "GNUTLS_CERT_MISMATCH", .other),
        (GNUTLS_CERT_PURPOSE_MISMATCH, "GNUTLS_CERT_PURPOSE_MISMATCH", .wrongPurpose),
        (GNUTLS_CERT_MISSING_OCSP_STATUS, "GNUTLS_CERT_MISSING_OCSP_STATUS", .constraintViolated),
        (GNUTLS_CERT_INVALID_OCSP_STATUS, "GNUTLS_CERT_INVALID_OCSP_STATUS", .other),
        (GNUTLS_CERT_UNKNOWN_CRIT_EXTENSIONS, "GNUTLS_CERT_UNKNOWN_CRIT_EXTENSIONS", .constraintViolated),
    ]

    /// The bits one by one; ``invalid`` only if it is alone.
    var each: [GnuTLSStatus] {
        let specific = (0..<32).map { GnuTLSStatus(rawValue: 1 << $0) }.filter { $0 != .invalid && contains($0) }
        return specific.isEmpty && contains(.invalid) ? [.invalid] : specific
    }

    /// Returns this one bit as a problem.
    func problem(at depth: Int?, cause: TrustCause? = nil, note: String = "") -> TrustReading.Problem {
        let meaning = Self.meanings.first { $0.bit.rawValue == rawValue }
        return TrustReading.Problem(
            cause ?? meaning?.cause ?? .other, words + note, nativeCode: meaning?.name ?? "GNUTLS_CERT_INVALID",
            depth: depth, fix: stapleRemedy)
    }

    /// The change of the server that removes a bit about the stapled response; nil for all others.
    private var stapleRemedy: String? {
        switch self {
        case .missingStaple: StapleRemedy.missing
        case .invalidStaple, .supersededStaple: StapleRemedy.unusable
        default: nil
        }
    }

    /// GnuTLS' own words, without the sentence that opens all of them.
    private var words: String {
        var datum = unsafe gnutls_datum_t()
        guard unsafe gnutls_certificate_verification_status_print(rawValue, GNUTLS_CRT_X509, &datum, 0) == 0 else {
            return "the certificate is not trusted"
        }
        let text = unsafe String(decoding: Array(takingOwnershipOf: datum), as: UTF8.self)
        let opening = "The certificate is NOT trusted. "
        let rest = text.hasPrefix(opening) && text.count > opening.count ? text.dropFirst(opening.count) : text[...]
        return String(rest.prefix { $0 != "\0" }).trimmingSuffix { $0.isWhitespace }
    }
}

extension String {
    /// Returns the text without the characters at its end that satisfy the condition.
    fileprivate func trimmingSuffix(while condition: (Character) -> Bool) -> String {
        guard let last = lastIndex(where: { !condition($0) }) else { return "" }
        return String(self[...last])
    }
}
