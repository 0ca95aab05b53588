extension DNSQuery {
    /// A DNS server that is asked over TLS, whose certificate has to be trusted and for its name (RFC 7858, RFC 8310
    /// section 5: the strict profile).
    public struct TLSServer: Hashable, Sendable, CustomStringConvertible {
        /// The name or address that the server's certificate has to be for; a name is also sent as SNI.
        public let name: ServerName
        /// The URL's port.
        public let port: UInt16
        /// The endpoint to dial instead of the URL's host and port; nil leaves the resolver to look the name up as the
        /// system does.
        public let connect: Endpoint?
        /// The anchors that the certificate has to chain to.
        public let anchors: TrustAnchors

        /// The port of the protocol (RFC 7858 section 3.1).
        public static let usualPort: UInt16 = 853

        /// Reads a URL like `tls://dns.example`; a missing port is 853.
        ///
        /// - Parameters:
        ///   - text: the URL.
        ///   - connect: the endpoint to dial instead.
        ///   - anchors: the anchors that the server's certificate has to chain to.
        /// - Throws: ``InputError`` naming the fault in the text.
        public init(_ text: String, connect: Endpoint? = nil, anchors: TrustAnchors) throws(InputError) {
            try InputError.refuseCredentials(in: text)
            guard Self.isURL(text) else {
                throw InputError("'\(text)' is not a tls URL", remedy: "write tls://NAME[:PORT]")
            }
            let authority = String(text.dropFirst(Self.scheme.count))
            guard !authority.contains(where: { "/?#".contains($0) }) else {
                throw InputError("'\(text)' is more than a name and a port", remedy: "write tls://NAME[:PORT]")
            }
            let endpoint = try Endpoint(authority, defaultPort: Self.usualPort)
            (name, port) = (endpoint.host, endpoint.port)
            self.connect = connect
            self.anchors = anchors
        }

        /// Returns true if a text names a server of this kind.
        public static func isURL(_ text: String) -> Bool { text.lowercased().hasPrefix(scheme) }

        /// The endpoint to dial.
        public var endpoint: Endpoint { connect ?? Endpoint(host: name, port: port) }

        /// The URL; port 853 is left out.
        public var description: String {
            var authority = Endpoint(host: name, port: port).description
            if port == Self.usualPort { authority.removeLast(":\(Self.usualPort)".count) }
            return Self.scheme + authority
        }

        private static let scheme = "tls://"
    }
}
