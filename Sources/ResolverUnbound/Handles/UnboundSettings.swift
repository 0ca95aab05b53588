import ProbeKit
import ProbeNet
import ProbePlatform

/// The settings of a context for one try at one server.
struct UnboundSettings: Sendable {
    /// The name to ask for, absolute.
    let name: String
    /// The type of the records to ask for.
    let type: UInt16
    /// The server as libunbound writes it: `address@port`.
    let server: String
    let anchors: [DNSAnchor]
    /// Names of `unbound.conf` and their values.
    let options: [(String, String)]

    /// Creates settings for a query at one of its servers.
    ///
    /// - Throws: ``DNSFailure`` with the code `badQuery` where libunbound can't be made to ask just this.
    init(_ query: DNSQuery, server: Endpoint, type: UInt16 = DNSType.txt) throws(DNSFailure) {
        let address = try server.serverAddress()
        // libunbound would treat a missing interface as number 0.
        _ = try server.scopeID()
        guard let ednsSize = query.ednsSize else {
            throw DNSFailure(.badQuery, "libunbound can't ask without EDNS")
        }
        let validates = query.dnssec != .off
        guard !validates || !query.anchors.isEmpty else {
            throw DNSFailure(
                .badQuery, "DNSSEC validation needs a trust anchor: name one, or install dns-root-data")
        }
        guard !validates || query.instant.map(Self.canValidate) ?? true else {
            throw DNSFailure(.badQuery, "libunbound can't validate at a time before 1970 or after 2106")
        }
        self.type = type
        name = query.name.description + (query.name.isRoot ? "" : ".")
        // libunbound's IPv6 sockets are IPv6-only.
        self.server = "\(address.mapped ?? address)\(server.zone.map { "%\($0)" } ?? "")@\(server.port)"
        anchors = validates ? query.anchors : []
        let exchange = Self.exchange(ednsSize: ednsSize, patience: query.deadline.remaining)
        options = exchange + Self.validation(validates, at: query.instant)
    }

    private static func exchange(ednsSize: UInt16, patience: Duration) -> [(String, String)] {
        // One try is one packet, or two if TCP is needed; the caller limits its time. A server that is expected to take
        // two minutes counts as dead.
        let wait = String(min(max(1, Int(patience / .milliseconds(1))), 60_000))
        return [
            ("edns-buffer-size", String(ednsSize)),
            ("do-not-query-localhost", "no"),
            ("outbound-msg-retry", "1"),
            ("unknown-server-time-limit", wait),
            ("tcp-auth-query-timeout", wait),
            // Ask for the queried name, and report records and TTLs as received.
            ("qname-minimisation", "no"),
            ("rrset-roundrobin", "no"),
            ("cache-max-ttl", String(Int32.max)),
            ("prefetch", "no"),
            ("serve-expired", "no"),
        ]
    }

    private static func validation(_ validates: Bool, at instant: Date?) -> [(String, String)] {
        guard validates else { return [("module-config", "iterator")] }
        let exact = [
            ("module-config", "validator iterator"),
            // Reporting our anchors would reveal them (RFC 8145).
            ("trust-anchor-signaling", "no"),
            // Validity is judged to the second, like that of certificates.
            ("val-sig-skew-min", "0"),
            ("val-sig-skew-max", "0"),
        ]
        return exact + (instant.map { [("val-override-date", Self.text(of: $0))] } ?? [])
    }

    /// Returns true for an instant that libunbound can be given: its seconds since 1970 have 32 bits, and 0 stands for the
    /// clock.
    private static func canValidate(at instant: Date) -> Bool {
        let seconds = instant.timeIntervalSince1970
        return seconds >= 1 && seconds < 0x1_0000_0000
    }

    /// Returns an instant as RRSIG records show it, `20260727000000` (RFC 4034 section 3.2).
    private static func text(of instant: Date) -> String {
        RFC3339.format(instant).filter(\.isNumber)
    }
}
