/// A server to probe: its identity and port, and the endpoint to dial.
public struct Target: Hashable, Sendable, CustomStringConvertible {
    /// The identity the certificate has to prove; a DNS name is also sent as SNI.
    public let name: ServerName
    /// The port of the service (requirement 1: often not 443).
    public let port: UInt16
    /// The endpoint to dial instead of `name:port`; name and SNI remain the target's.
    public let connect: Endpoint?

    /// Creates a target of parts that were checked already.
    public init(name: ServerName, port: UInt16 = 443, connect: Endpoint? = nil) {
        self.name = name
        self.port = port
        self.connect = connect
    }

    /// Reads `name`, `name:port`, `[v6]:port` or a URL with scheme `https`, `wss` or `tls`, of which only host and port
    /// matter (requirement 99).
    ///
    /// - Throws: ``InputError`` naming the fault in the text.
    public init(_ text: String, connect: Endpoint? = nil) throws(InputError) {
        let authority = try Self.authority(of: text)
        let endpoint = try Endpoint(authority, defaultPort: 443)
        self.init(name: endpoint.host, port: endpoint.port, connect: connect)
    }

    /// The endpoint to dial.
    public var endpoint: Endpoint { connect ?? Endpoint(host: name, port: port) }

    /// `name:port`.
    public var description: String { Endpoint(host: name, port: port).description }

    private static func authority(of text: String) throws(InputError) -> String {
        guard let scheme = text.firstRange(of: "://") else { return text }
        let name = text[..<scheme.lowerBound].lowercased()
        guard ["https", "wss", "tls"].contains(name) else {
            throw InputError(
                "'\(text)' has the scheme '\(name)'",
                remedy: "TLS targets are https://, wss://, tls:// or plain HOST:PORT")
        }
        let authority = text[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !authority.contains("@") else {
            throw InputError("the URL carries credentials", remedy: "leave them out: probe never sends any")
        }
        return String(authority)
    }
}
