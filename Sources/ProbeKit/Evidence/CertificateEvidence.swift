/// One certificate of a probe: its bytes, and every result of parsing them.
public struct CertificateEvidence: Sendable {
    /// The origin of a certificate.
    public enum Source: String, Sendable, Codable {
        /// The server sent it.
        case presented
        /// A valid path ends with it, and the server did not send it.
        case anchor
    }

    /// The certificate as received.
    public let der: [UInt8]
    /// The certificate's origin.
    public let source: Source
    /// The digests that pins are compared with, or the reason why the bytes are not a certificate.
    public let digests: Result<CertificateDigests, CertificateFormatError>
    /// The key as the stack decodes it.
    public let stackKey: KeyReading
    /// SHA-256 of the SubjectPublicKeyInfo as the stack encodes it.
    public let stackSPKI: PinDigest?
    /// The certificate's fields; nil if the parser can't read it.
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

    /// Creates evidence of a certificate that is expected to be used one day: its digests, and a display name.
    public init(supposed name: String, digests: CertificateDigests, source: Source = .presented) {
        // Nothing parses these bytes: they only distinguish one certificate of a chain from another.
        der = digests.cert.bytes
        self.source = source
        self.digests = .success(digests)
        stackKey = .unreadable("the certificate is supposed, not seen")
        stackSPKI = nil
        details = nil
        supposedName = name
    }

    /// The subject if it can be read, else a placeholder.
    public var name: String { supposedName ?? details.map { "'\($0.subject)'" } ?? "an unreadable certificate" }
}
