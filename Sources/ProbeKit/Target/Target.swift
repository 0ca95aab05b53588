/// A server to probe: its identity and port, and the endpoint to dial.
public struct Target: Hashable, Sendable, CustomStringConvertible {
    /// The identity the certificate has to prove; a DNS name is also sent as SNI.
    public let name: ServerName
    /// The port of the service (requirement 1: often not 443).
    public let port: UInt16
    /// The endpoint to dial instead of `name:port`; name and SNI remain the target's.
    public let connect: Endpoint?
    /// True if ``connect`` is where a client of the service dials too, found by a lookup, and not an endpoint of the caller's
    /// choice.
    package var isAtOwnAddress = false

    /// The protocol that starts TLS; nil speaks TLS from the first byte.
    public let startTLS: StartTLS?

    /// Creates a target of parts that were checked already.
    public init(name: ServerName, port: UInt16 = 443, connect: Endpoint? = nil, startTLS: StartTLS? = nil) {
        self.name = name
        self.port = port
        self.connect = connect
        self.startTLS = startTLS
    }

    /// Reads `name`, `name:port`, `[v6]:port` or a URL, of which only scheme, host and port matter (requirement 99):
    /// `https`, `wss` or `tls`, or a protocol that starts TLS, like `smtp`.
    ///
    /// - Parameter startTLS: the protocol that starts TLS where the text has no scheme.
    /// - Throws: ``InputError`` naming the fault in the text.
    public init(_ text: String, connect: Endpoint? = nil, startTLS: StartTLS? = nil) throws(InputError) {
        let (scheme, authority) = try Self.parts(of: text)
        if let scheme, let startTLS, scheme.startTLS != startTLS {
            throw InputError(
                "'\(text)' does not start TLS with \(startTLS.rawValue)",
                remedy: "write \(startTLS.rawValue)://\(authority), or leave the other out")
        }
        let known = scheme?.startTLS ?? startTLS
        let endpoint = try Endpoint(authority, defaultPort: known?.port ?? 443, allowsZone: true)
        let zoned = endpoint.zone == nil ? nil : endpoint
        self.init(name: endpoint.host, port: endpoint.port, connect: connect ?? zoned, startTLS: known)
    }

    /// Returns the same target, dialled elsewhere; nil changes nothing.
    public func dialled(at place: Endpoint?) -> Target {
        guard let place else { return self }
        return Target(name: name, port: port, connect: place, startTLS: startTLS)
    }

    /// Returns the same target, dialled at an address that the lookup of its endpoint's name found.
    package func dialled(atFound address: IPAddress) -> Target {
        var target = dialled(at: Endpoint(host: .ip(address), port: endpoint.port))
        target.isAtOwnAddress = endpoint.host == name
        return target
    }

    /// The endpoint to dial.
    public var endpoint: Endpoint { connect ?? Endpoint(host: name, port: port) }

    /// `name:port`, with the scheme of a protocol that starts TLS before it.
    public var description: String {
        let zone = connect?.host == name ? connect?.zone : nil
        return (startTLS.map { $0.rawValue + "://" } ?? "") + Endpoint(host: name, port: port, zone: zone).description
    }

    /// The scheme of a target's URL.
    private enum Scheme {
        case tls
        case starting(StartTLS)

        var startTLS: StartTLS? { if case .starting(let known) = self { known } else { nil } }

        init?(_ name: String) {
            if ["https", "wss", "tls"].contains(name) {
                self = .tls
            } else if let known = StartTLS.named(name) {
                self = .starting(known)
            } else {
                return nil
            }
        }
    }

    private static func parts(of text: String) throws(InputError) -> (scheme: Scheme?, authority: String) {
        guard let range = text.firstRange(of: "://") else { return (nil, text) }
        let name = text[..<range.lowerBound].lowercased()
        let authority = text[range.upperBound...].prefix { $0 != "/" && $0 != "?" && $0 != "#" }
        guard !text[..<authority.endIndex].utf8.contains(UInt8(ascii: "@")) else {
            throw InputError("the URL carries credentials", remedy: "leave them out: probe never sends any")
        }
        guard let scheme = Scheme(name) else {
            throw InputError(
                "'\(text)' has the scheme '\(name)'",
                remedy: "TLS targets are https://, wss://, tls:// or plain HOST:PORT; those that start TLS are "
                    + StartTLS.allCases.map { $0.rawValue + "://" }.joined(separator: ", "))
        }
        return (scheme, String(authority))
    }
}
