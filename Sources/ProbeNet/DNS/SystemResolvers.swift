import NIOCore
public import ProbeKit
import ProbePlatform

/// The machine's configured DNS servers, for callers that name none.
public enum SystemResolvers: Sendable {
    /// Reads `/etc/resolv.conf`; empty if it is missing or names no server.
    public static func endpoints() -> [Endpoint] { endpoints(at: "/etc/resolv.conf") }

    /// Reads the file at a path; empty if it is missing or names no server.
    package static func endpoints(at path: String) -> [Endpoint] {
        SystemFile.text(at: path).map { endpoints(in: $0) } ?? []
    }

    /// Returns the `nameserver` lines of a text in the form of resolv.conf(5), in order, on port 53. Comments and lines
    /// without a plain address are skipped; a link-local address has its zone. The unspecified address is this machine, as
    /// for the C library.
    public static func endpoints(in text: String) -> [Endpoint] {
        text.split(whereSeparator: \.isNewline).compactMap { line in
            let words = line.split(whereSeparator: \.isWhitespace)
            guard words.count >= 2, words[0] == "nameserver" else { return nil }
            let address = words[1].prefix { $0 != "%" }
            // Bare addresses alone stand here: no group of one is a port.
            guard let parsed = IPAddress(String(address)) else { return nil }
            guard !parsed.isUnspecified else { return Endpoint(host: .ip(parsed.loopback), port: 53) }
            return try? .dnsServer(parsed.isIPv6 ? "[\(words[1])]" : String(words[1]))
        }
    }
}

extension Endpoint {
    /// Returns the address of a DNS server; a name is not accepted, since looking it up would need a resolver.
    package func serverAddress() throws(DNSFailure) -> IPAddress {
        guard case .ip(let address) = host else {
            throw DNSFailure(.badQuery, "the DNS server \(self) is given by name; give its address")
        }
        return address
    }

    /// Returns the number of the interface that a zone names, by number or by name (RFC 4007 section 11.2); nil if this machine
    /// does not have it.
    static func interfaceNumber(of zone: String) -> UInt32? {
        let number = if let number = UInt32(zone) { number } else { unsafe if_nametoindex(zone) }
        return number > 0 ? number : nil
    }

    /// Returns the number of the interface that the zone names; 0 if there is no zone.
    package func scopeID() throws(DNSFailure) -> UInt32 {
        guard let zone else { return 0 }
        guard let number = Self.interfaceNumber(of: zone) else { throw onUnknownInterface }
        return number
    }

    private var onUnknownInterface: DNSFailure {
        DNSFailure(.badQuery, "the DNS server \(self) is on an interface that this machine does not have")
    }

    /// Returns the address to send queries to.
    func socketAddress() throws(DNSFailure) -> SocketAddress {
        let address = try serverAddress()
        do {
            return try SocketAddress(address, port: Int(port), zone: zone)
        } catch is UnknownInterface {
            throw onUnknownInterface
        } catch {
            throw DNSFailure(.badQuery, "the DNS server \(self) has no usable address: \(error)")
        }
    }
}
