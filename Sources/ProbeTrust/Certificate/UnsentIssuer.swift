import X509

/// An issuer on the way from a leaf that was not sent with it.
package struct UnsentIssuer {
    /// True if a certificate that it issued names an address from which its own can be fetched (RFC 5280 section 4.2.2.1).
    package let hasAddress: Bool

    /// Follows the issuers' names from the leaf.
    ///
    /// - Parameter chain: the certificates in DER, the leaf first.
    /// - Returns: nil if every way ends at a certificate that names itself as its issuer, or at one that can't be read.
    package init?(of chain: [[UInt8]]) {
        let sent = chain.map { try? ReadCertificate($0).parsed.get() }
        var waysEnd: [ParsedCertificate] = []
        var open = Array(sent.indices.prefix(1))
        var seen = Set(open)
        while let position = open.popLast() {
            guard let certificate = sent[position], certificate.issuer != certificate.subject else { continue }
            let issuers = sent.indices.filter { sent[$0]?.subject == certificate.issuer }
            if issuers.isEmpty { waysEnd.append(certificate) }
            open += issuers.filter { seen.insert($0).inserted }
        }
        guard !waysEnd.isEmpty else { return nil }
        hasAddress = waysEnd.contains { Self.namesAddress($0.certificate) }
    }

    private static func namesAddress(_ certificate: Certificate) -> Bool {
        let access = try? certificate.extensions.authorityInformationAccess
        return access?.contains { entry in
            guard entry.method == .issuingCA, case .uniformResourceIdentifier(let address) = entry.location else {
                return false
            }
            let scheme = address.prefix { $0 != ":" }.lowercased()
            return scheme == "http" || scheme == "https"
        } ?? false
    }
}
