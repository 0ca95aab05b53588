/// A DNS server that is asked over HTTPS (RFC 8484).
public struct DoHServer: Hashable, Sendable, CustomStringConvertible {
    /// The HTTP method that carries the query.
    public enum Method: String, Sendable, Codable {
        /// In the URL.
        case get = "GET"
        /// In the body.
        case post = "POST"
    }

    /// The name or address the server's certificate has to be for; also in SNI and the `Host` field.
    public let name: ServerName
    /// The URL's port.
    public let port: UInt16
    /// The URL's path, from its slash on.
    public let path: String
    /// The HTTP method that carries the query.
    public let method: Method
    /// The endpoint to dial instead of the URL's host and port; nil leaves the resolver to look the name up as the
    /// system does.
    public let connect: Endpoint?
    /// The anchors that the server's certificate has to chain to.
    public let anchors: TrustAnchors

    /// Reads a URL, or the URI template that RFC 8484 section 3 has for one: with `{?dns}` at its end the server is asked
    /// by GET, without by POST.
    ///
    /// - Parameters:
    ///   - text: like `https://dns.example/dns-query`; a missing port is 443.
    ///   - connect: the endpoint to dial instead.
    ///   - anchors: the anchors that the server's certificate has to chain to.
    /// - Throws: ``InputError`` naming the fault in the text.
    public init(_ text: String, connect: Endpoint? = nil, anchors: TrustAnchors) throws(InputError) {
        guard Self.isURL(text) else {
            throw InputError("'\(text)' is not an https URL", remedy: "write https://NAME[:PORT]/PATH")
        }
        var rest = text.dropFirst(Self.scheme.count)
        method = rest.hasSuffix(Self.variable) ? .get : .post
        if method == .get { rest = rest.dropLast(Self.variable.count) }
        let slash = rest.firstIndex(of: "/") ?? rest.endIndex
        let endpoint = try Endpoint(String(rest[..<slash]), defaultPort: 443)
        path = String(rest[slash...])
        guard path.count > 1, path.utf8.allSatisfy(Self.isPathByte) else {
            throw InputError(
                "the path of '\(text)' can't be asked",
                remedy: "write a path of letters, digits and -._~/%, like /dns-query, and nothing but {?dns} behind it")
        }
        (name, port) = (endpoint.host, endpoint.port)
        self.connect = connect
        self.anchors = anchors
    }

    /// Returns true if a text names a server of this kind.
    public static func isURL(_ text: String) -> Bool { text.lowercased().hasPrefix(scheme) }

    /// The endpoint to dial.
    public var endpoint: Endpoint { connect ?? Endpoint(host: name, port: port) }

    /// The URL, as a template for GET; port 443 is left out.
    public var description: String {
        var authority = Endpoint(host: name, port: port).description
        if port == 443 { authority.removeLast(":443".count) }
        return Self.scheme + authority + path + (method == .get ? Self.variable : "")
    }

    private static let scheme = "https://"
    private static let variable = "{?dns}"

    private static func isPathByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~/%".utf8.contains(byte)
        }
    }
}

extension Endpoint {
    /// Reads a DNS server as a user writes it: an address, with port 53 if the text gives none. A link-local address
    /// has its zone, as in `fe80::1%eth0` or `[fe80::1%eth0]:53` (RFC 4007 section 11); whether this machine has the
    /// interface is only checked when the server is queried.
    ///
    /// - Throws: ``InputError`` if the text is not an endpoint, or names a host, which would need a resolver.
    public static func dnsServer(_ text: String) throws(InputError) -> Endpoint {
        try refuseScheme(of: text)
        let server = try Endpoint(text, defaultPort: 53, allowsZone: true)
        guard case .ip(let address) = server.host else {
            throw InputError("'\(text)' is a name, and a DNS server is an address", remedy: "give its address")
        }
        guard !address.isUnspecified else {
            throw InputError(
                "'\(text)' is the unspecified address, and names no server",
                remedy: "for a server on this machine give \(address.loopback)")
        }
        guard server.zone != nil || !address.isLinkLocal else {
            throw InputError(
                "'\(text)' is a link-local address without its link",
                remedy: "name the interface, like [\(address)%eth0]:\(server.port)")
        }
        return server
    }

    /// Rejects URLs of DNS servers that other programs accept.
    private static func refuseScheme(of text: String) throws(InputError) {
        guard let end = text.firstRange(of: "://") else { return }
        let reason =
            switch text[..<end.lowerBound].lowercased() {
            case "tls", "dot": "a server to ask over TLS can't stand here, or not as it is written"
            case "quic", "doq": "DNS over QUIC is not supported"
            case "https", "h3", "doh": "a server to ask over HTTPS can't stand here, or not as it is written"
            default: "a DNS server is not written as a URL of this kind"
            }
        throw InputError(
            "'\(text)': \(reason)",
            remedy:
                "ask over UDP and TCP with ADDR:PORT, over TLS with tls://NAME, or over HTTPS with https://NAME/dns-query"
        )
    }
}
