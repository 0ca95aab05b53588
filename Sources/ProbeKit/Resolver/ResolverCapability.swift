/// A feature of resolvers. A query that needs an undeclared one is rejected before a packet is sent.
public struct ResolverCapability: RawRepresentable, Hashable, Sendable, Codable, Comparable {
    /// The stable name, in kebab case.
    public let rawValue: String

    /// Creates a capability with a stable name.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Reports the reply's bytes as received.
    public static let rawReply = ResolverCapability(rawValue: "raw-reply")
    /// Asks the given servers, on any port, over UDP or TCP.
    public static let chosenServers = ResolverCapability(rawValue: "chosen-servers")
    /// Asks a link-local server in its given zone (RFC 4007 section 11).
    public static let zonedServers = ResolverCapability(rawValue: "zoned-servers")
    /// Asks the given servers over HTTPS (RFC 8484).
    public static let httpsServers = ResolverCapability(rawValue: "https-servers")
    /// Sends an EDNS0 size of the caller's choice (RFC 6891).
    public static let ednsSize = ResolverCapability(rawValue: "edns-size")
    /// Sends one above ``DNSQuery/usualEDNSSizes``.
    public static let bigEDNSSize = ResolverCapability(rawValue: "edns-size-above-4096")
    /// Asks without an OPT record on request.
    public static let withoutEDNS = ResolverCapability(rawValue: "without-edns")
    /// Asks again over TCP if a reply is truncated (RFC 7766).
    public static let tcpOnTruncation = ResolverCapability(rawValue: "tcp-on-truncation")
    /// Reports why there is no usable answer; a stack without this capability only reports that there is none.
    public static let failureReasons = ResolverCapability(rawValue: "failure-reasons")
    /// Validates DNSSEC itself.
    public static let dnssecValidation = ResolverCapability(rawValue: "dnssec-validation")

    /// Orders by name, for stable output.
    public static func < (left: ResolverCapability, right: ResolverCapability) -> Bool {
        left.rawValue < right.rawValue
    }
}
