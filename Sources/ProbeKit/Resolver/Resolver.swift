public import ProbePlatform

/// One DNS stack, made to report facts.
///
/// A resolver never judges a record: it reports every attempt with the reply's raw bytes, and the stack's own parse of
/// them as a second reading. It waits no longer than the query's deadline, keeps no answers between calls, and may be
/// called from many tasks at once.
public protocol Resolver: Sendable {
    /// The resolver's name, library and loaded version.
    var identity: BackendIdentity { get }

    /// The resolver's capabilities; the prober rejects a query that needs more.
    var capabilities: Set<ResolverCapability> { get }

    /// Asks for a name's TXT records and reports every attempt, in order.
    func resolve(_ query: DNSQuery) async -> DNSReport
}

/// A query for a name's TXT records, with its settings.
public struct DNSQuery: Sendable {
    /// The name to ask for.
    public let name: DNSName
    /// The servers to ask over UDP and TCP, in order; the next one is asked if one does not answer.
    public let servers: [Endpoint]
    /// The servers to ask over HTTPS, likewise.
    public let httpsServers: [DoHServer]
    /// The EDNS0 UDP size to advertise; nil sends no OPT record.
    public let ednsSize: UInt16?
    /// The number of queries to each server before giving up on it.
    public let tries: Int
    /// The DNSSEC validation that the answer needs.
    public let dnssec: DNSSECPolicy
    /// The trust anchors of validation; a name that no anchor covers can't be secure.
    public let anchors: [DNSAnchor]
    /// The instant at which signatures and servers' certificates have to be valid; nil is the system's clock.
    public let instant: Date?
    /// The deadline for the answer.
    public let deadline: Deadline

    /// The size that fits an IPv6 packet without fragments (DNS flag day 2020).
    public static let defaultEDNSSize: UInt16 = 1232

    /// The sizes that every resolver with EDNS can advertise: RFC 6891 section 6.2.5 suggests no larger one.
    public static let usualEDNSSizes: ClosedRange<UInt16> = 512...4096

    /// Creates a query.
    public init(
        name: DNSName,
        servers: [Endpoint],
        httpsServers: [DoHServer] = [],
        ednsSize: UInt16? = DNSQuery.defaultEDNSSize,
        tries: Int = 2,
        dnssec: DNSSECPolicy = .off,
        anchors: [DNSAnchor] = [],
        instant: Date? = nil,
        deadline: Deadline
    ) {
        self.name = name
        self.servers = servers
        self.httpsServers = httpsServers
        self.ednsSize = ednsSize
        self.tries = tries
        self.dnssec = dnssec
        self.anchors = anchors
        self.instant = instant
        self.deadline = deadline
    }

    /// The capabilities that a resolver needs for this query.
    public var requiredCapabilities: Set<ResolverCapability> {
        var required: Set<ResolverCapability> = [.rawReply]
        if !httpsServers.isEmpty { required.insert(.httpsServers) }
        if !servers.isEmpty || httpsServers.isEmpty { required.formUnion([.chosenServers, .tcpOnTruncation]) }
        if servers.contains(where: { $0.zone != nil }) { required.insert(.zonedServers) }
        required.insert(ednsSize == nil ? .withoutEDNS : .ednsSize)
        if let ednsSize, ednsSize > Self.usualEDNSSizes.upperBound { required.insert(.bigEDNSSize) }
        if dnssec != .off { required.insert(.dnssecValidation) }
        return required
    }
}

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
