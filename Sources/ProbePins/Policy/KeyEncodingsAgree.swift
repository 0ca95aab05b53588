public import ProbeKit
public import ProbePlatform

/// Our DER walk and the TLS stack read the same key out of every certificate (decided: read-twice).
public struct KeyEncodingsAgree: Policy {
    /// Creates the policy; it has no settings.
    public init() {}

    /// Returns one error for each key that was decoded in two ways, one warning for each malformed certificate, and the
    /// result of the library's own pin check.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let connection = evidence.connection else { return [] }
        let path = Set((connection.nativePath ?? []) + (connection.referencePath ?? []))
        let findings = connection.certificates.enumerated().flatMap { index, certificate in
            judge(
                certificate, at: index, transport: connection.transport.name, counts: index == 0 || path.contains(index)
            )
        }
        return findings + judge(connection.keyConfirmation, by: connection.transport.name)
    }

    private func judge(_ confirmation: KeyConfirmation?, by transport: String) -> [Finding] {
        switch confirmation {
        case nil, .confirmed?: []
        case .denied?:
            [
                .error(
                    .readingsDisagree, code: "pin-checks-disagree", stage: .pins,
                    "\(transport)'s own pin check finds another key in the leaf than its bytes show",
                    fix: "reissue the certificate with a key encoded as RFC 3279 and RFC 5480 say")
            ]
        case .unanswered(let failure)?:
            [
                .warning(
                    "pin-check-unanswered", stage: .pins,
                    "\(transport)'s own pin check was asked about the leaf's key and did not answer: \(failure.message)",
                    fix: "probe again; if it stays, look whether the server presents one leaf on every connection")
            ]
        }
    }

    /// Returns the findings for one certificate.
    ///
    /// - Parameter counts: true if a verdict may depend on it.
    public func judge(
        _ certificate: CertificateEvidence, at index: Int, transport: String, counts: Bool
    ) -> [Finding] {
        switch (certificate.digests, certificate.stackKey) {
        case (.success(let digests), .spki):
            guard let stack = certificate.stackSPKI, stack != digests.spki else { return [] }
            return [
                .error(
                    .readingsDisagree, code: "key-readings-disagree", stage: .pins,
                    "the key of certificate \(index) is \(digests.spki.base64) by its bytes and \(stack.base64) as \(transport) encodes it",
                    fix: "reissue the certificate with a key encoded as RFC 3279 and RFC 5480 say")
            ]
        case (.success, .unreadable(let reason)):
            let message = "\(transport) can't read the key of certificate \(index): \(reason)"
            guard counts else { return [.note("unreadable-key", stage: .pins, message)] }
            return [
                .error(
                    .readingsDisagree, code: "key-readings-disagree", stage: .pins, message,
                    fix: "reissue the certificate with a key that every stack reads")
            ]
        case (.success, .unanswered(let reason)):
            let message = "\(transport) did not report the key of certificate \(index): \(reason)"
            guard counts else { return [.note("unanswered-key", stage: .pins, message)] }
            return [
                .error(
                    .internalError, code: "unanswered-key", stage: .pins, message,
                    fix: "probe again; if it stays, fix the backend")
            ]
        case (.failure(let error), .spki) where counts:
            return [
                .error(
                    .readingsDisagree, code: "key-readings-disagree", stage: .pins,
                    "\(transport) reads certificate \(index), whose bytes are malformed: \(error)",
                    fix: "replace the certificate by one that is DER")
            ]
        case (.failure(let error), _):
            return [
                .warning(
                    "malformed-certificate", stage: .pins, "certificate \(index) is malformed: \(error)",
                    fix: "configure the server to send only certificates")
            ]
        }
    }
}
