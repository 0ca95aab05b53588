public import ProbePlatform

/// What a certificate says of itself, for people and reports.
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

    /// What a reader found.
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
