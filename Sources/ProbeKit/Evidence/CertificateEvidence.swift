public import ProbePlatform

/// A certificate's bytes, and what they say of themselves to a parser, which reads them once.
package protocol CertificateReading: AnyObject, Sendable {
    var der: [UInt8] { get }
    /// The certificate's fields; nil if they can't be read.
    var details: CertificateDetails? { get }
}

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
    /// The certificate as parsed, which policies share; nil if it is supposed.
    package let reading: (any CertificateReading)?
    /// False if parsing the fields for display would take too long.
    private let showsDetails: Bool
    private let supposedName: String?

    /// Creates evidence of a certificate from its readings.
    package init(
        _ reading: any CertificateReading, source: Source, digests: Result<CertificateDigests, CertificateFormatError>,
        stackKey: KeyReading, stackSPKI: PinDigest?, showsDetails: Bool
    ) {
        der = reading.der
        self.source = source
        self.digests = digests
        self.stackKey = stackKey
        self.stackSPKI = stackSPKI
        self.reading = reading
        self.showsDetails = showsDetails
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
        reading = nil
        showsDetails = false
        supposedName = name
    }

    /// The certificate's fields; nil if the parser can't read it.
    public var details: CertificateDetails? { showsDetails ? reading?.details : nil }

    /// The subject if it can be read, else a placeholder.
    public var name: String { supposedName ?? details.map { "'\($0.subject)'" } ?? "an unreadable certificate" }
}

/// The content of a certificate, for people and reports.
public struct CertificateDetails: Hashable, Sendable {
    /// The subject as RFC 4514 text.
    public let subject: String
    /// The issuer as RFC 4514 text.
    public let issuer: String
    /// The serial number as lowercase hexadecimal.
    public let serial: String
    /// The first second of validity.
    public let notBefore: Date
    /// The last second of validity.
    public let notAfter: Date
    /// The key's algorithm and size, like `RSA 2048` or `EC P-256`.
    public let key: String
    /// The signature's algorithm.
    public let signatureAlgorithm: String
    /// The DNS names of the subject alternative name (requirement 87).
    public let dnsNames: [String]
    /// Its IP addresses.
    public let ipAddresses: [String]
    /// True if basic constraints make it a CA.
    public let isCA: Bool

    /// Creates the details that a reader found.
    public init(
        subject: String, issuer: String, serial: String, notBefore: Date, notAfter: Date, key: String,
        signatureAlgorithm: String, dnsNames: [String], ipAddresses: [String], isCA: Bool
    ) {
        self.subject = subject
        self.issuer = issuer
        self.serial = serial
        self.notBefore = notBefore
        self.notAfter = notAfter
        self.key = key
        self.signatureAlgorithm = signatureAlgorithm
        self.dnsNames = dnsNames
        self.ipAddresses = ipAddresses
        self.isCA = isCA
    }
}
