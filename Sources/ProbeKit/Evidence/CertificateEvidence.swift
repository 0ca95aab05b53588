/// One certificate of a probe: its bytes, and everything that was read from them, by whom.
public struct CertificateEvidence: Sendable {
    /// Where a certificate came from.
    public enum Source: String, Sendable, Codable {
        /// The server sent it.
        case presented
        /// A valid path ends with it, and the server did not send it.
        case anchor
    }

    /// The certificate as it came.
    public let der: [UInt8]
    /// Where it came from.
    public let source: Source
    /// The digests pins are compared with, or why the bytes are no certificate.
    public let digests: Result<CertificateDigests, CertificateFormatError>
    /// The stack's own reading of the key.
    public let stackKey: KeyReading
    /// SHA-256 of the SubjectPublicKeyInfo as the stack encodes it.
    public let stackSPKI: PinDigest?
    /// What the certificate says of itself; nil where the parser can't read it.
    public let details: CertificateDetails?
    private let supposedName: String?

    /// What readers found in a certificate.
    package init(
        der: [UInt8], source: Source, digests: Result<CertificateDigests, CertificateFormatError>,
        stackKey: KeyReading, stackSPKI: PinDigest?, details: CertificateDetails?
    ) {
        self.der = der
        self.source = source
        self.digests = digests
        self.stackKey = stackKey
        self.stackSPKI = stackSPKI
        self.details = details
        supposedName = nil
    }

    /// A certificate that is supposed to be there one day: its digests, and a name for people.
    public init(supposed name: String, digests: CertificateDigests, source: Source = .presented) {
        // Nothing parses these bytes: they only tell one certificate of a chain from another.
        der = digests.cert.bytes
        self.source = source
        self.digests = .success(digests)
        stackKey = .unreadable("the certificate is supposed, not seen")
        stackSPKI = nil
        details = nil
        supposedName = name
    }

    /// The subject where it can be read, else a word for people.
    public var name: String { supposedName ?? details.map { "'\($0.subject)'" } ?? "an unreadable certificate" }
}
