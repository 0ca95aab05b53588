/// One HTTP request to make over the connection of a handshake, once that handshake has been judged (requirement 45).
///
/// A transport still never sees a pin (rule 1): it asks ``isApproved`` with what it would report, and sends the first byte
/// of the request only after a yes (requirement 108). The request is a HEAD, which asks for no content.
public struct HTTPExchange: Sendable {
    /// The path and query to ask for, beginning with `/`.
    public let path: String
    /// Whether the request may be sent, decided on the report as the handshake left it, the native trust included.
    public let isApproved: @Sendable (HandshakeReport) async -> Bool

    /// The application protocols an HTTP client offers, the most wanted first (RFC 9113 section 3.2).
    public static let alpn = ["h2", "http/1.1"]

    /// An exchange of its parts.
    ///
    /// - Parameters:
    ///   - path: the path and query, beginning with `/`.
    ///   - isApproved: asked once, after the handshake has completed.
    public init(path: String = "/", isApproved: @escaping @Sendable (HandshakeReport) async -> Bool) {
        self.path = path
        self.isApproved = isApproved
    }
}
