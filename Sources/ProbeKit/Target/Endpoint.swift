/// The endpoint to dial: a name or address, and a port.
public struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    /// The host to look up, or the literal address.
    public let host: ServerName
    /// The TCP or UDP port, 1 to 65535.
    public let port: UInt16

    /// The zone of a link-local address, an interface's name or number (RFC 4007 section 11); nil for any other.
    public let zone: String?

    /// Creates an endpoint of parts that were checked already.
    public init(host: ServerName, port: UInt16, zone: String? = nil) {
        self.host = host
        self.port = port
        self.zone = zone
    }

    /// Reads `host`, `host:port`, `[v6]:port` or a bare IPv6 address.
    ///
    /// - Parameters:
    ///   - text: the endpoint's text.
    ///   - defaultPort: the port if the text has none; without it a missing port is an error.
    /// - Throws: ``InputError`` naming the fault in the text.
    public init(_ text: String, defaultPort: UInt16? = nil) throws(InputError) {
        let (host, port) = try Self.split(text)
        self.host = try ServerName(host)
        zone = nil
        if let port {
            self.port = try Self.parsePort(port, of: text)
        } else if let defaultPort {
            self.port = defaultPort
        } else {
            throw InputError("'\(text)' has no port", remedy: "write \(host.contains(":") ? "[\(host)]" : host):PORT")
        }
    }

    /// `host:port`, with brackets around an IPv6 address and its zone.
    public var description: String {
        if case .ip(let address) = host, address.isIPv6 { return "[\(address)\(zone.map { "%" + $0 } ?? "")]:\(port)" }
        return "\(host):\(port)"
    }

    private static func split(_ text: String) throws(InputError) -> (host: String, port: String?) {
        if text.hasPrefix("[") {
            guard let close = text.firstIndex(of: "]") else {
                throw InputError("'\(text)' opens a bracket and does not close it", remedy: "write [ADDRESS]:PORT")
            }
            let host = String(text[text.index(after: text.startIndex)..<close])
            let rest = text[text.index(after: close)...]
            guard IPAddress(host)?.isIPv6 == true else {
                throw InputError("'\(host)' is not an IPv6 address", remedy: "only IPv6 addresses go in brackets")
            }
            if rest.isEmpty { return (host, nil) }
            guard rest.hasPrefix(":") else {
                throw InputError("'\(text)' has text after the bracket", remedy: "write [ADDRESS]:PORT")
            }
            return (host, String(rest.dropFirst()))
        }
        if IPAddress(text) != nil { return (text, nil) }
        guard let colon = text.lastIndex(of: ":") else { return (text, nil) }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }

    private static func parsePort(_ digits: String, of text: String) throws(InputError) -> UInt16 {
        guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits),
            port > 0
        else {
            throw InputError("'\(digits)' in '\(text)' is not a port", remedy: "ports go from 1 to 65535")
        }
        return port
    }
}
