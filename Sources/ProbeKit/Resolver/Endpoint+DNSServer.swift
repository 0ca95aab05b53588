extension Endpoint {
    /// Reads a DNS server as a user writes it: an address, with port 53 if the text gives none. A link-local address
    /// has its zone, as in `fe80::1%eth0` or `[fe80::1%eth0]:53` (RFC 4007 section 11); whether this machine has the
    /// interface is only checked when the server is queried.
    ///
    /// - Throws: ``InputError`` if the text is not an endpoint, or names a host, which would need a resolver.
    public static func dnsServer(_ text: String) throws(InputError) -> Endpoint {
        try refuseScheme(of: text)
        let (plain, zone) = try splitZone(text)
        let server = try Endpoint(plain, defaultPort: 53)
        guard case .ip(let address) = server.host else {
            throw InputError("'\(text)' is a name, and a DNS server is an address", remedy: "give its address")
        }
        guard let zone else {
            guard !address.isLinkLocal else {
                throw InputError(
                    "'\(text)' is a link-local address, and nothing says on which link",
                    remedy: "name the interface, like [\(address)%eth0]:\(server.port)")
            }
            return server
        }
        // ::1 is treated as link-local (RFC 4007 section 4).
        guard address.isLinkLocal || address == .loopback6 else {
            throw InputError(
                "'\(text)' has the zone '\(zone)', and \(address) is not a link-local address",
                remedy: "leave the zone out: \(server)")
        }
        return Endpoint(host: server.host, port: server.port, zone: zone)
    }

    /// Rejects URLs of DNS servers that other programs accept.
    private static func refuseScheme(of text: String) throws(InputError) {
        guard let end = text.firstRange(of: "://") else { return }
        let reason =
            switch text[..<end.lowerBound].lowercased() {
            case "tls", "dot": "DNS over TLS is not supported"
            case "quic", "doq": "DNS over QUIC is not supported"
            case "https", "h3", "doh": "a server to ask over HTTPS can't stand here, or not as it is written"
            default: "a DNS server is not written as a URL of this kind"
            }
        throw InputError(
            "'\(text)': \(reason)",
            remedy: "ask over UDP and TCP with ADDR:PORT, or over HTTPS with https://NAME/dns-query")
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
}
