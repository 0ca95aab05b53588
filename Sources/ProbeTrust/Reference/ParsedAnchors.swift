import ProbeKit

/// Anchors in the verifier's form. Nothing can chain to an unreadable one, whose reason is worth reporting.
struct ParsedAnchors: Sendable {
    let bySubject: [ComparableName: [ParsedCertificate]]
    let unreadable: [UnreadableCertificate]
    /// The revocation lists that came with them.
    let revocationLists: ParsedRevocationLists

    init(_ anchors: TrustAnchors) {
        var certificates: [ParsedCertificate] = []
        var unreadable: [UnreadableCertificate] = []
        for der in anchors.certificates {
            switch ParsedCertificate.parse(der) {
            case .success(let parsed): certificates.append(parsed)
            case .failure(let reason): unreadable.append(reason)
            }
        }
        bySubject = Dictionary(grouping: certificates, by: \.subject)
        self.unreadable = unreadable
        revocationLists = ParsedRevocationLists(anchors.revocationLists)
    }

    /// Returns the anchor that is this very certificate.
    func anchor(like certificate: ParsedCertificate) -> ParsedCertificate? {
        bySubject[certificate.subject]?.first { $0.der == certificate.der }
    }
}
