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
    ///   - allowsZone: true if a link-local address may have its zone, as in `[fe80::1%eth0]:443` (RFC 4007 section 11);
    ///     whether this machine has the interface is only checked when it is dialled.
    /// - Throws: ``InputError`` naming the fault in the text.
    public init(_ text: String, defaultPort: UInt16? = nil, allowsZone: Bool = false) throws(InputError) {
        try InputError.refuseCredentials(in: text)
        let (plain, zone) = allowsZone ? try Self.splitZone(text) : (text, nil)
        let (host, port) = try Self.split(plain, hasZone: zone != nil)
        guard !host.isEmpty || text.isEmpty else {
            throw InputError("'\(text)' has no host", remedy: "write HOST\(text)")
        }
        self.host = try ServerName(host)
        self.zone = zone
        if zone != nil { try Self.checkZone(of: self.host, in: text) }
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

    private static func split(_ text: String, hasZone: Bool) throws(InputError) -> (host: String, port: String?) {
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
        if IPAddress(text) != nil {
            // Behind a zone nothing can be meant as a port.
            if !hasZone { try refuseDoubtfulPort(text) }
            return (text, nil)
        }
        guard let colon = text.lastIndex(of: ":") else { return (text, nil) }
        return (String(text[..<colon]), String(text[text.index(after: colon)...]))
    }

    /// Refuses a bare IPv6 address whose last group may be meant as a port, like `::1:9443`.
    private static func refuseDoubtfulPort(_ text: String) throws(InputError) {
        guard let colon = text.lastIndex(of: ":") else { return }
        let (address, port) = (text[..<colon], text[text.index(after: colon)...])
        guard IPAddress(String(address))?.isIPv6 == true, port.first != "0", UInt16(decimal: port) != nil else {
            return
        }
        throw InputError(
            "'\(text)' may be an address, or an address and a port",
            remedy: "write [\(address)]:\(port) for the port \(port), or [\(text)] for the address")
    }

    private static func parsePort(_ digits: String, of text: String) throws(InputError) -> UInt16 {
        guard let port = UInt16(decimal: digits), port > 0 else {
            throw InputError("'\(digits)' in '\(text)' is not a port", remedy: "ports go from 1 to 65535")
        }
        return port
    }

    /// Returns the text without the zone of its address, and the zone.
    private static func splitZone(_ text: String) throws(InputError) -> (plain: String, zone: String?) {
        guard let percent = text.firstIndex(of: "%") else { return (text, nil) }
        let end = text[percent...].firstIndex(of: "]") ?? text.endIndex
        let zone = String(text[text.index(after: percent)..<end])
        // Linux: a name of at most 15 bytes without slash, colon and white space; or a number.
        guard (1...15).contains(zone.utf8.count),
            zone.utf8.allSatisfy({ (0x21...0x7e).contains($0) && !"/:%[,@".utf8.contains($0) })
        else {
            throw InputError(
                "'\(text)' has a zone that can't be an interface's name", remedy: "write it like fe80::1%eth0")
        }
        return (String(text[..<percent] + text[end...]), zone)
    }

    /// Rejects a zone where no address can have one; ::1 is treated as link-local (RFC 4007 section 4).
    private static func checkZone(of host: ServerName, in text: String) throws(InputError) {
        if case .ip(let address) = host, address.isLinkLocal || address == .loopback6 { return }
        throw InputError(
            "'\(text)' has a zone, and \(host) is not a link-local address", remedy: "leave the zone out")
    }
}
