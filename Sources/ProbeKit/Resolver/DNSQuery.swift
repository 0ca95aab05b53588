public import ProbePlatform

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
