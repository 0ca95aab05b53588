/// A proxy that a connection is made through.
public struct ConnectionProxy: Sendable, CustomStringConvertible {
    /// The protocol spoken with a proxy.
    @nonexhaustive public enum Kind: String, Hashable, Sendable, CaseIterable {
        /// HTTP's CONNECT (RFC 9110 section 9.3.6).
        case http
        /// The same inside TLS.
        case https
        /// SOCKS 5 (RFC 1928); the proxy looks names up.
        case socks5

        /// The port where a URL has none, the same as curl's.
        public var port: UInt16 { self == .https ? 443 : 1080 }
    }

    /// The credentials for a proxy.
    public enum Credentials: Sendable {
        /// `user:password` (RFC 7617, RFC 1929).
        case basic(Secret)
        /// A bearer token (RFC 6750).
        case bearer(Secret)
    }

    /// The protocol.
    public let kind: Kind
    /// Where the proxy listens.
    public let endpoint: Endpoint
    /// The credentials to send if there are any.
    public let credentials: Credentials?

    /// Creates a proxy.
    public init(_ kind: Kind, at endpoint: Endpoint, credentials: Credentials? = nil) {
        self.kind = kind
        self.endpoint = endpoint
        self.credentials = credentials
    }

    /// Reads a URL with the scheme `http`, `https` or `socks5`, or `HOST:PORT` of an HTTP proxy.
    ///
    /// - Throws: ``InputError`` naming the fault in the text, which is not repeated: it may contain a password.
    public init(_ text: String, credentials: Credentials? = nil) throws(InputError) {
        let scheme = text.firstRange(of: "://")
        let name = scheme.map { text[..<$0.lowerBound].lowercased() } ?? Kind.http.rawValue
        guard let kind = Kind(rawValue: name == "socks5h" ? Kind.socks5.rawValue : name) else {
            throw InputError(
                "a proxy's URL has the scheme '\(PrintableText.escape(name))'",
                remedy: "write http://, https:// or socks5:// before HOST:PORT")
        }
        var authority = scheme.map { text[$0.upperBound...] } ?? text[...]
        guard !authority.contains("@") else {
            throw InputError("the proxy's URL has credentials", remedy: "keep them in a file of mode 600 and name that")
        }
        if authority.hasSuffix("/") { authority = authority.dropLast() }
        self.init(kind, at: try Endpoint(String(authority), defaultPort: kind.port), credentials: credentials)
    }

    /// `http://host:port`.
    public var description: String { "\(kind.rawValue)://\(endpoint)" }
}
