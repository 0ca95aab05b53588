extension HandshakeRequest {
    /// The way to a request's endpoint.
    @nonexhaustive public enum Route: Sendable {
        /// The endpoint is dialled.
        case direct
        /// A proxy is dialled and asked for the endpoint.
        case proxy(Proxy)
        /// A socket of this machine's file system is dialled in place of the endpoint.
        case socket(path: String)
        /// A target without an address: nothing is dialled, and the handshake fails with this before a transport is asked.
        case absent(HandshakeFailure)

        /// The failure of a target without an address; nil where something is dialled.
        package var absence: HandshakeFailure? { if case .absent(let failure) = self { failure } else { nil } }

        /// The proxy; nil on every other way.
        public var proxy: Proxy? { if case .proxy(let proxy) = self { proxy } else { nil } }

        /// The capability that a transport needs for it; nil for none.
        public var capability: TransportCapability? {
            switch self {
            case .direct, .absent: nil
            case .proxy: .proxy
            case .socket: .localSocket
            }
        }
    }

    /// A proxy that connects to servers on request.
    public struct Proxy: Sendable, CustomStringConvertible {
        /// The protocol that the proxy speaks.
        @nonexhaustive public enum Scheme: String, Hashable, Sendable, CaseIterable {
            /// CONNECT (RFC 9110 section 9.3.6) in clear text.
            case http
            /// CONNECT inside TLS to the proxy.
            case https
            /// SOCKS 5 (RFC 1928); names are looked up on this machine.
            case socks5
            /// SOCKS 5; the proxy looks names up.
            case socks5h

            /// The port where the URL has none, as `curl` has it.
            public var port: UInt16 { self == .https ? 443 : 1080 }

            /// True for SOCKS 5.
            public var isSOCKS: Bool { self == .socks5 || self == .socks5h }
        }

        /// The proof that this client may use a proxy.
        @nonexhaustive public enum Credentials: Sendable {
            /// A name and a password with a colon in between.
            case basic(Secret)
            /// A token (RFC 6750 section 2.1), for HTTP alone.
            case bearer(Secret)
        }

        /// The protocol.
        public let scheme: Scheme
        /// The endpoint of the proxy.
        public let endpoint: Endpoint
        /// The credentials for it; nil gives none.
        public var credentials: Credentials?
        /// The anchors for the proxy's own certificate, with ``Scheme/https``.
        public var anchors: TrustAnchors

        /// Creates a proxy of parts that were checked already.
        public init(
            _ scheme: Scheme, at endpoint: Endpoint, credentials: Credentials? = nil, anchors: TrustAnchors = .none
        ) {
            self.scheme = scheme
            self.endpoint = endpoint
            self.credentials = credentials
            self.anchors = anchors
        }

        /// Reads `scheme://host:port` as `curl` does: the scheme is `http` where there is none. A name and a password before
        /// an `@` become credentials.
        ///
        /// - Throws: ``InputError`` naming the fault in the text, of which it never shows credentials.
        public init(_ text: String) throws(InputError) {
            let parts = text.firstRange(of: "://").map { (text[..<$0.lowerBound].lowercased(), text[$0.upperBound...]) }
            let name = parts?.0 ?? Scheme.http.rawValue
            guard let scheme = Scheme(rawValue: name) else {
                let known = Scheme.allCases.map(\.rawValue)
                let hint = NearestWord.hint(for: name, among: known)
                throw InputError(
                    "'\(PrintableText.escape(name))' is not a protocol of proxies",
                    remedy: "\(hint)write \(known.map { $0 + "://" }.joined(separator: ", ")) before HOST:PORT")
            }
            var rest = parts?.1 ?? text[...]
            var credentials: Credentials?
            if let at = rest.lastIndex(of: "@") {
                credentials = .basic(try Self.credentials(rest[..<at]))
                rest = rest[rest.index(after: at)...]
            }
            if rest.hasSuffix("/") { rest.removeLast() }
            guard !rest.contains(where: { "/?#".contains($0) }) else {
                throw InputError("the URL of the proxy has a path", remedy: "write \(name)://HOST:PORT alone")
            }
            let endpoint = try Endpoint(String(rest), defaultPort: scheme.port, allowsZone: true)
            self.init(scheme, at: endpoint, credentials: credentials)
        }

        /// The URL, without credentials.
        public var description: String { "\(scheme.rawValue)://\(endpoint)" }

        /// Returns the name and the password of a URL with the colon that RFC 7617 section 2 has between them, which a name
        /// without a password gets too, as from `curl`.
        private static func credentials(_ text: Substring) throws(InputError) -> Secret {
            let colon = text.firstIndex(of: ":") ?? text.endIndex
            let name = try decoded(text[..<colon])
            // The proxy would take what follows the colon for the password.
            guard !name.contains(UInt8(ascii: ":")) else {
                throw InputError(
                    "the name in the proxy's URL has a colon, where its password would begin",
                    remedy: colon < text.endIndex
                        ? "use a name without a colon"
                        : "write the colon before the password as ':' and not as %3A, as a name can't have one")
            }
            let password = try decoded(text[colon...].dropFirst())
            let bytes = name + [UInt8(ascii: ":")] + password
            return Secret(copying: bytes.span)
        }

        /// Decodes percents (RFC 3986 section 2.1).
        private static func decoded(_ text: Substring) throws(InputError) -> [UInt8] {
            var bytes: [UInt8] = []
            var rest = Array(text.utf8)[...]
            while let byte = rest.popFirst() {
                guard byte == UInt8(ascii: "%") else {
                    bytes.append(byte)
                    continue
                }
                guard let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16), rest.count >= 2
                else {
                    throw InputError(
                        "the credentials in the proxy's URL have a '%' that encodes nothing",
                        remedy: "write a percent sign as %25")
                }
                bytes.append(value)
                rest = rest.dropFirst(2)
            }
            return bytes
        }
    }

    /// The request for the TLS with an ``Proxy/Scheme/https`` proxy, before it is asked for anything; nil without one.
    package var toProxy: HandshakeRequest? {
        guard let proxy = route.proxy, proxy.scheme == .https else { return nil }
        return HandshakeRequest(
            endpoint: proxy.endpoint, serverName: proxy.endpoint.host, anchors: proxy.anchors, instant: instant,
            deadline: deadline)
    }
}
