import X509

/// A purpose in a certificate's extended key usage (RFC 5280 section 4.2.1.12).
public enum LabPurpose: String, Hashable, Sendable, CaseIterable {
    /// id-kp-serverAuth.
    case server
    /// id-kp-clientAuth.
    case client
    /// anyExtendedKeyUsage.
    case any
    /// id-kp-OCSPSigning.
    case ocspSigning = "ocsp-signing"
    /// id-kp-timeStamping.
    case timeStamping = "time-stamping"

    var usage: ExtendedKeyUsage.Usage {
        switch self {
        case .server: .serverAuth
        case .client: .clientAuth
        case .any: .any
        case .ocspSigning: .ocspSigning
        case .timeStamping: .timeStamping
        }
    }
}
