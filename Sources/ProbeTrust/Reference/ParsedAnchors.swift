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

/// Intermediates that were parsed before: few CAs issue for many servers.
final class ParsedIssuers: Sendable {
    private let known = BoundedMemory<[UInt8], ParsedCertificate>(limit: 256)
    /// Real ones are far smaller; a hostile peer's must not fill the memory.
    private static let maximumBytes = 8192

    /// Returns the certificate, parsed by this call or an earlier one.
    func parse(_ der: [UInt8]) -> Result<ParsedCertificate, UnreadableCertificate> {
        if let parsed = known[der] { return .success(parsed) }
        let result = ParsedCertificate.parse(der)
        if case .success(let parsed) = result, der.count <= Self.maximumBytes { known[der] = parsed }
        return result
    }
}
