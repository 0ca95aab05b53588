/// An extended DNS error: a server's own comment on its reply, which changes nothing about the records (RFC 8914).
public struct ExtendedDNSError: Hashable, Sendable, CustomStringConvertible {
    /// The INFO-CODE.
    public let code: UInt16
    /// The EXTRA-TEXT without control characters, at most 200 characters; often empty.
    public let text: String

    /// Creates an error with its text in UTF-8, as received.
    package init(code: UInt16, text: some Collection<UInt8>) {
        self.code = code
        // A few servers end it with a NUL.
        let bytes = text.prefix(800).prefix { $0 != 0 }
        self.text = PrintableText.escape(String(String(decoding: Array(bytes), as: UTF8.self).prefix(200)))
    }

    /// The code's name (IANA registry "Extended DNS Error Codes"); nil if it has none.
    public var name: String? { Int(code) < Self.names.count ? Self.names[Int(code)] : nil }

    /// True if the server kept the answer past its TTL, because it could not get a new one (RFC 8767).
    public var isStale: Bool { code == 3 || code == 19 }

    /// True if the server reports that the answer is not the zone's: forged, blocked, censored or filtered.
    package var isFiltered: Bool { [4, 15, 16, 17].contains(code) }

    /// True if the server's own DNSSEC validation refuses the zone (RFC 8914 sections 4.7 to 4.13; code 25 is of the registry).
    package var isBogus: Bool { (6...12).contains(code) || code == 25 }

    /// The code, its name and its text.
    public var description: String {
        "extended error \(code)" + (name.map { " (\($0))" } ?? "") + (text.isEmpty ? "" : ": \(text)")
    }

    private static let names = [
        "Other Error", "Unsupported DNSKEY Algorithm", "Unsupported DS Digest Type", "Stale Answer", "Forged Answer",
        "DNSSEC Indeterminate", "DNSSEC Bogus", "Signature Expired", "Signature Not Yet Valid", "DNSKEY Missing",
        "RRSIGs Missing", "No Zone Key Bit Set", "NSEC Missing", "Cached Error", "Not Ready", "Blocked", "Censored",
        "Filtered", "Prohibited", "Stale NXDOMAIN Answer", "Not Authoritative", "Not Supported",
        "No Reachable Authority", "Network Error", "Invalid Data", "Signature Expired before Valid", "Too Early",
        "Unsupported NSEC3 Iterations Value", "Unable to conform to policy", "Synthesized",
    ]
}
