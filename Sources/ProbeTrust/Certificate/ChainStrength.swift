/// The keys and signatures of a chain by which clients decide whose limits are lower than the reference's.
package struct ChainStrength {
    /// The sizes of its RSA keys, in bits.
    private let rsaBits: [Int]
    /// True if one of its signatures is over SHA-1.
    package let hasSHA1: Bool

    /// Reads a chain, and those of a client's roots to which its issuers' names lead. Certificates that can't be read are
    /// left out.
    package init(_ chain: [[UInt8]], roots: [[UInt8]]) {
        let sent = Self.fields(of: chain)
        let above = Self.leading(from: sent, among: Self.fields(of: roots))
        rsaBits = (sent + above).compactMap(\.rsaBits)
        // A root's own signature is not checked.
        hasSHA1 = (sent + above.filter { !$0.isSelfIssued }).contains { SignatureDigest($0) == .sha1 }
    }

    private static func fields(of certificates: [[UInt8]]) -> [CertificateFields] {
        certificates.compactMap { der in try? CertificateFields(der, frame: CertificateFrame(der)) }
    }

    /// Returns the roots that have the name of an issuer of what was sent, or of a root found so.
    private static func leading(
        from sent: [CertificateFields], among roots: [CertificateFields]
    ) -> [CertificateFields] {
        let named = Dictionary(grouping: roots) { $0.subject.map(ComparableName.init) }
        var pending = sent
        var found: [CertificateFields] = []
        var seen: Set<ComparableName> = []
        while let certificate = pending.popLast() {
            guard let issuer = certificate.issuer.map(ComparableName.init), seen.insert(issuer).inserted else {
                continue
            }
            let issuers = named[issuer] ?? []
            found += issuers
            pending += issuers
        }
        return found
    }

    /// Returns true if it has an RSA key of at least so many bits that the reference does not take.
    package func hasRefusedRSAKey(from minimum: Int) -> Bool { rsaBits.contains { $0 >= minimum && $0 < 2048 } }
}
