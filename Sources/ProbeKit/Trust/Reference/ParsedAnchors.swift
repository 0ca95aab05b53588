import X509

/// Anchors in the verifier's form. One that can't be read is left out: nothing can chain to it here.
struct ParsedAnchors: Sendable {
    let certificates: [ParsedCertificate]
    let bySubject: [DistinguishedName: [Certificate]]

    init(_ anchors: TrustAnchors) {
        certificates = anchors.certificates.compactMap { try? ParsedCertificate.parse($0).get() }
        bySubject = Dictionary(grouping: certificates.map(\.certificate), by: \.subject)
    }

    func contains(_ certificate: Certificate) -> Bool {
        bySubject[certificate.subject]?.contains(certificate) ?? false
    }
}
