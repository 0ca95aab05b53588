import X509

/// The permitted uses of a certificate's key (RFC 5280 section 4.2.1.3).
public struct LabKeyUsage: OptionSet, Hashable, Sendable {
    /// The set as bits.
    public let rawValue: UInt8

    /// Creates a set of bits.
    public init(rawValue: UInt8) {
        self.rawValue = rawValue
    }

    /// Signing handshakes.
    public static let digitalSignature = LabKeyUsage(rawValue: 1)
    /// Receiving an encrypted premaster secret.
    public static let keyEncipherment = LabKeyUsage(rawValue: 2)
    /// Signing certificates.
    public static let certificateSigning = LabKeyUsage(rawValue: 4)
    /// Signing revocation lists.
    public static let crlSigning = LabKeyUsage(rawValue: 8)

    var usage: KeyUsage {
        KeyUsage(
            digitalSignature: contains(.digitalSignature), keyEncipherment: contains(.keyEncipherment),
            keyCertSign: contains(.certificateSigning), cRLSign: contains(.crlSigning))
    }
}
