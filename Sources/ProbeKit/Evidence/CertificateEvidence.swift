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

    /// Reads a certificate and adds the key as the stack decodes it.
    public init(der: [UInt8], source: Source, stackKey: KeyReading, digester: any Digester = SwiftCryptoDigester()) {
        self.init(der: der, source: source, stackKey: stackKey, digester: digester, readsDetails: true)
    }

    /// Creates the same evidence, without the details if reading them would take too long.
    init(
        der: [UInt8], source: Source, stackKey: KeyReading, digester: any Digester = SwiftCryptoDigester(),
        readsDetails: Bool
    ) {
        self.der = der
        self.source = source
        self.stackKey = stackKey
        do throws(CertificateFormatError) {
            digests = .success(try CertificateDigests(certificate: der.span, digester: digester))
        } catch {
            digests = .failure(error)
        }
        if case .spki(let bytes) = stackKey { stackSPKI = digester.sha256(bytes.span) } else { stackSPKI = nil }
        details = readsDetails ? try? CertificateDetails(certificate: der) : nil
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
