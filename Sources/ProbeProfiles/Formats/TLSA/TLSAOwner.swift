import ProbeKit

/// The server that a TLSA record is for, by its owner, which is a name like `_443._tcp.example.com` (RFC 6698 section 3).
struct TLSAOwner {
    let port: UInt16
    /// The transport's label, like `_tcp`.
    let transport: String
    let host: ServerName

    /// Reads an absolute name without its last dot; nil for names of another form.
    init?(_ name: String) {
        let labels = name.split(separator: ".", maxSplits: 2)
        guard labels.count == 3, labels[0].hasPrefix("_"), let port = UInt16(decimal: labels[0].dropFirst()), port > 0,
            labels[1].hasPrefix("_"), let host = try? ServerName(String(labels[2]))
        else { return nil }
        (self.port, transport, self.host) = (port, String(labels[1]), host)
    }

    /// The server. On the port of a protocol that starts TLS the record is for what that starts (RFC 7672,
    /// RFC 7673).
    var target: Target { Self.target(host, port: port) }

    /// Returns the server that records for a port of a host are read as.
    static func target(_ host: ServerName, port: UInt16) -> Target {
        Target(name: host, port: port, startTLS: StartTLS.usual(on: port))
    }
}

extension StartTLS {
    /// The port on which mail is submitted (RFC 6409), in the protocol that servers use among themselves.
    private static let submissionPort: UInt16 = 587
    /// The ports on which mail has TLS at once (RFC 8314).
    private static let portsOfMailInTLS: Set<UInt16> = [465, 993, 995]

    /// Returns the protocol that usually starts TLS on a port; nil for TLS from the first byte.
    static func usual(on port: UInt16) -> StartTLS? {
        port == submissionPort ? .smtp : allCases.first { $0.port == port }
    }

    /// Returns true for a server of mail, or one that starts TLS. Clients of mail pass over usages 0 and 1, for they share no
    /// authorities with a server (RFC 7672 section 3.1.3).
    static func wantsOwnAuthority(on port: UInt16, startTLS: StartTLS?) -> Bool {
        startTLS != nil || usual(on: port) != nil || portsOfMailInTLS.contains(port)
    }
}
