/// Bounds on what a peer may make us hold, the same for every transport, so that a hostile peer gets one answer from all.
public enum HandshakeLimits: Sendable {
    /// The most certificates a presented chain may have.
    public static let certificates = PinPosition.deepest
    /// The largest certificate message a stack is asked to take, in bytes.
    public static let certificateMessageBytes = 512 * 1024
    /// The most issuers of client certificates that are reported.
    public static let clientCertificateIssuers = 100
}
