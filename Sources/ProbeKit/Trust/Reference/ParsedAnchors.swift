import X509

/// Anchors in the verifier's form. One that can't be read is left out: nothing can chain to it here.
struct ParsedAnchors: Sendable {
    let certificates: [ParsedCertificate]
    let bySubject: [ComparableName: [Certificate]]

    init(_ anchors: TrustAnchors) {
        certificates = anchors.certificates.compactMap { try? ParsedCertificate.parse($0).get() }
        bySubject = Dictionary(grouping: certificates.map(\.certificate), by: { ComparableName($0.subject) })
    }
}
