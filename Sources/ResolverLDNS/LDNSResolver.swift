public import ProbeKit
public import ProbeNet

/// Asks for TXT records with ldns as codec, over this package's own exchange.
public struct LDNSResolver: Resolver {
    /// `ldns`, with the loaded version of the library.
    public let identity: BackendIdentity
    /// Everything but DNSSEC validation.
    public let capabilities: Set<ResolverCapability> = [
        .rawReply, .chosenServers, .zonedServers, .ednsSize, .bigEDNSSize, .withoutEDNS, .tcpOnTruncation,
        .failureReasons,
    ]

    private let exchange: DNSExchange<LDNSCodec>

    /// Creates a resolver; it keeps no state between queries.
    ///
    /// - Parameter network: the event loops of its exchanges.
    public init(network: ProbeNetwork = .shared) {
        exchange = DNSExchange(codec: LDNSCodec(), over: network)
        identity = BackendIdentity(name: "ldns", library: "ldns", version: LDNSLibrary.version)
    }

    /// Asks over UDP, and over TCP if a reply is truncated.
    public func resolve(_ query: DNSQuery) async -> DNSReport {
        await exchange.resolve(query)
    }
}
