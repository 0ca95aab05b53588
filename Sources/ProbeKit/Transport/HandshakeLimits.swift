/// Limits on the memory that a peer can make us use, the same for every transport, so that a hostile peer gets the same
/// result from all.
public enum HandshakeLimits: Sendable {
    /// The maximum number of certificates of a presented chain.
    public static let certificates = PinPosition.deepest
    /// The maximum size of a certificate message, in bytes.
    public static let certificateMessageBytes = 512 * 1024
    /// The most bytes that a peer may send before the handshake is complete, records and all: none that ends needs as many,
    /// and one that does not end would keep us busy to the deadline.
    public static let handshakeBytes = 1024 * 1024
    /// The failure of a handshake whose peer sent more than ``handshakeBytes``.
    public static let excess = HandshakeFailure(
        .protocolError, "the peer sent more than \(handshakeBytes) bytes and did not complete the handshake")
    /// The maximum number of reported issuers of client certificates.
    public static let clientCertificateIssuers = 100
}
