public import ProbeKit
public import ProbeNet

/// Asks for TXT records with ldns as codec, over this package's own exchange.
public struct LDNSResolver: Resolver {
    /// `ldns`, with the loaded version of the library.
    public var identity: BackendIdentity { LDNSLibrary.identity }
    /// `ldns`.
    public var name: String { LDNSLibrary.name }
    /// The absence of libldns.
    public var absence: BackendAbsence? { LDNSLibrary.absence }
    /// Everything but DNSSEC validation and HTTPS; TLS where there is a stack for it.
    public let capabilities: Set<ResolverCapability>

    private let exchange: DNSExchange<LDNSCodec>

    /// Creates a resolver; it keeps no state between queries.
    ///
    /// - Parameters:
    ///   - network: the event loops of its exchanges.
    ///   - makeEngine: makes the TLS with servers that are asked over it, which ldns leaves to its caller; nil can't ask
    ///     them.
    public init(network: ProbeNetwork = .shared, tls makeEngine: EngineMaker? = nil) {
        exchange = DNSExchange(codec: LDNSCodec(), over: network, tls: makeEngine)
        capabilities = exchange.tlsCapabilities.union([
            .rawReply, .chosenServers, .zonedServers, .ednsSize, .bigEDNSSize, .withoutEDNS, .tcpOnTruncation,
            .failureReasons,
        ])
    }

    /// Asks over UDP, and over TCP if a reply is truncated; over TLS where servers are asked so.
    public func resolve(_ query: DNSQuery) async -> DNSReport {
        await exchange.resolve(query)
    }

    /// Asks many over few sockets.
    public func resolve(_ queries: [DNSQuery], atOnce: Int) async -> [DNSReport] {
        await exchange.resolve(queries, atOnce: atOnce)
    }
}
