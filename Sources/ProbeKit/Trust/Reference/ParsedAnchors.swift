/// Anchors in the verifier's form. One that can't be read is left out: nothing can chain to it here.
struct ParsedAnchors: Sendable {
    let bySubject: [ComparableName: [ParsedCertificate]]

    init(_ anchors: TrustAnchors) {
        let certificates = anchors.certificates.compactMap { try? ParsedCertificate.parse($0).get() }
        bySubject = Dictionary(grouping: certificates, by: \.subject)
    }

    /// The anchor that is this very certificate.
    func anchor(like certificate: ParsedCertificate) -> ParsedCertificate? {
        bySubject[certificate.subject]?.first { $0.der == certificate.der }
    }
}
