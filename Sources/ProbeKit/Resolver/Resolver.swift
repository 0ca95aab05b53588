public import ProbePlatform

/// One DNS stack, made to report facts.
///
/// A resolver never judges a record: it reports every attempt with the reply's raw bytes, and the stack's own parse of
/// them as a second reading. It waits no longer than the query's deadline, keeps no answers between calls, and may be
/// called from many tasks at once.
public protocol Resolver: Backend {
    /// The resolver's capabilities; the prober rejects a query that needs more.
    var capabilities: Set<ResolverCapability> { get }

    /// Asks for a name's TXT records and reports every attempt, in order.
    func resolve(_ query: DNSQuery) async -> DNSReport

    /// Answers many queries that differ in their name alone, and reports on each, in their order.
    ///
    /// By default each is asked by itself. A resolver that can ask several over one socket saves most of their cost.
    ///
    /// - Parameter atOnce: the most queries that are under way at a time.
    func resolve(_ queries: [DNSQuery], atOnce: Int) async -> [DNSReport]
}

extension Resolver {
    /// Asks each query by itself, some at a time.
    public func resolve(_ queries: [DNSQuery], atOnce: Int) async -> [DNSReport] {
        await withTaskGroup(of: (Int, DNSReport).self) { group in
            var reports = [DNSReport](repeating: DNSReport(attempts: []), count: queries.count)
            for (index, query) in queries.enumerated() {
                if index >= max(1, atOnce), let (done, report) = await group.next() { reports[done] = report }
                group.addTask { (index, await resolve(query)) }
            }
            for await (index, report) in group { reports[index] = report }
            return reports
        }
    }
}

/// A query for a name's TXT records, with its settings.
public struct DNSQuery: Sendable {
    /// The name to ask for.
    public let name: DNSName
    /// The servers to ask over UDP and TCP, in order; the next one is asked if one does not answer.
    public let servers: [Endpoint]
    /// The servers to ask over HTTPS, likewise.
    public let httpsServers: [DoHServer]
    /// The servers to ask over TLS, likewise; after those over UDP and TCP.
    public let tlsServers: [TLSServer]
    /// True if the certificates of servers over TLS have to be reported.
    public let wantsServerChain: Bool
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
    static let usualEDNSSizes: ClosedRange<UInt16> = 512...4096

    /// Creates a query.
    public init(
        name: DNSName,
        servers: [Endpoint],
        httpsServers: [DoHServer] = [],
        tlsServers: [TLSServer] = [],
        wantsServerChain: Bool = false,
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
        self.tlsServers = tlsServers
        self.wantsServerChain = wantsServerChain
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
        if !tlsServers.isEmpty { required.insert(.tlsServers) }
        if wantsServerChain { required.insert(.serverChain) }
        if !servers.isEmpty || httpsServers.isEmpty && tlsServers.isEmpty {
            required.formUnion([.chosenServers, .tcpOnTruncation])
        }
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
    /// Asks the given servers over TLS, with their certificates verified (RFC 7858).
    public static let tlsServers = ResolverCapability(rawValue: "tls-servers")
    /// Reports the certificates of servers over TLS, so that their keys can be compared with pins.
    public static let serverChain = ResolverCapability(rawValue: "server-chain")
    /// Sends an EDNS0 size of the caller's choice (RFC 6891).
    public static let ednsSize = ResolverCapability(rawValue: "edns-size")
    /// Sends one above 4096, the largest that RFC 6891 section 6.2.5 suggests.
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
