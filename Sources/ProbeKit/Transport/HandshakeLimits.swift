/// Limits on the memory that a peer can make us use, the same for every transport, so that a hostile peer gets the same
/// result from all.
public enum HandshakeLimits: Sendable {
    /// The maximum number of certificates of a presented chain.
    public static let certificates = PinPosition.deepest
    /// The maximum size of a certificate message, in bytes.
    public static let certificateMessageBytes = 512 * 1024
    /// The maximum number of reported issuers of client certificates.
    public static let clientCertificateIssuers = 100
}
