/// One HTTP request to make over the connection of a handshake, once that handshake has been judged (requirement 45).
///
/// A transport still never sees a pin: it calls ``isApproved`` with its report, and sends the first byte of the request
/// only if the result is true (requirement 108). The request is a HEAD, which asks for no content; its fields are
/// `Host` and `User-Agent`, and a redirect is a normal response.
public struct HTTPExchange: Sendable {
    /// The name and, unless it is 443, the port of the request, as sent in `Host` (RFC 9110 section 7.2), wherever the
    /// connection leads.
    public let authority: String
    /// The path and query to ask for, beginning with `/`.
    public let path: String
    /// Returns true if the request may be sent, decided on the report after the handshake, including the native trust.
    public let isApproved: @Sendable (HandshakeReport) async -> Bool

    /// The application protocols an HTTP client offers, the preferred first (RFC 9113 section 3.2).
    public static let alpn = ["h2", "http/1.1"]
    /// The request's `User-Agent`.
    public static let userAgent = "probe"
    /// The most bytes a server may send before its response is complete; a response head needs a fraction of that.
    public static let maximumResponseBytes = 128 * 1024
    /// The message for a server that sends more.
    public static let excess = "the server said more than \(maximumResponseBytes) bytes before its answer was complete"
    /// The message for an approval that took too long.
    public static let lateness = "the deadline passed before the request"

    /// Creates an exchange.
    ///
    /// - Parameters:
    ///   - target: the target of the request.
    ///   - path: the path and query, beginning with `/`.
    ///   - isApproved: asked once, after the handshake has completed.
    public init(
        with target: Target, path: String = "/", isApproved: @escaping @Sendable (HandshakeReport) async -> Bool
    ) {
        let endpoint = Endpoint(host: target.name, port: target.port).description
        authority = target.port == 443 ? String(endpoint.dropLast(":443".count)) : endpoint
        self.path = path
        self.isApproved = isApproved
    }

    /// Returns the reason why no request can be sent over a connection, as far as that is known before a byte is sent;
    /// nil if one can.
    ///
    /// - Parameter alpn: the protocol the server chose; nil if it chose none, which is HTTP/1.1.
    public func obstacle(alpn: String?) -> String? {
        if let alpn, !Self.alpn.contains(alpn) { return "the server chose the protocol '\(alpn)', which is no HTTP" }
        guard path.hasPrefix("/"), path.utf8.allSatisfy({ (0x21...0x7e).contains($0) }) else {
            return "'\(path)' is no path"
        }
        return nil
    }
}
