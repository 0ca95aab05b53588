public import ProbeKit
public import ProbeNet

/// Asks for TXT records with c-ares, which does its own I/O, waiting, fallbacks and matching of replies.
///
/// Each try at a server uses a channel, which delivers every reply; the next server, and the time to ask it, are
/// decided here, as for every resolver of this package. c-ares itself would give up when the last server of its list
/// has failed, with time left for the first.
public struct CAresResolver: Resolver {
    /// `cares`, with the loaded version of the library.
    public var identity: BackendIdentity { CAresLibrary.identity }
    /// `cares`.
    public var name: String { CAresLibrary.name }
    /// The absence of libcares.
    public var absence: BackendAbsence? { CAresLibrary.absence }
    /// Everything but DNSSEC validation, HTTPS and EDNS sizes that c-ares 1.18 calls misformatted; TLS where there is a
    /// stack for it.
    public let capabilities: Set<ResolverCapability>

    private let loop = CAresLoop()
    private let exchange: DNSExchange<CAresCodec>

    /// Creates a resolver; it keeps no answers between queries, and has a thread while there are any.
    ///
    /// - Parameter makeEngine: makes the TLS with servers that are asked over it, which c-ares can't; nil can't ask them.
    public init(tls makeEngine: EngineMaker? = nil) {
        exchange = DNSExchange(codec: CAresCodec(), tls: makeEngine)
        capabilities = exchange.tlsCapabilities.union([
            .rawReply, .chosenServers, .zonedServers, .ednsSize, .withoutEDNS, .tcpOnTruncation, .failureReasons,
        ])
    }

    /// Asks over UDP, and over TCP if a reply is truncated or larger than advertised.
    public func resolve(_ query: DNSQuery) async -> DNSReport {
        await DNSWalk.over(query.places, query) { place in
            switch place {
            case .plain(let server): await ask(server, query)
            case .tls: await exchange.ask(place, query)
            }
        }
    }

    /// Returns one try at one server, in a channel of its own; the last of its attempts counts.
    private func ask(_ server: Endpoint, _ query: DNSQuery) async -> [DNSAttempt] {
        do throws(DNSFailure) {
            if let absence { throw absence.dnsFailure }
            let attempts = try await attempts(server, query, ednsSize: query.ednsSize)
            // c-ares itself treats only FORMERR as a refusal of EDNS.
            guard let last = attempts.last, last.ednsSize != nil, let reply = last.received,
                DNSConclusion.refusesEDNS(reply)
            else { return attempts }
            return attempts + (try await self.attempts(server, query, ednsSize: nil))
        } catch {
            return [
                .unsent(
                    to: server.description, over: .udp, ednsSize: query.ednsSize, failure: error, duration: .zero)
            ]
        }
    }

    private func attempts(
        _ server: Endpoint, _ query: DNSQuery, ednsSize: UInt16?
    ) async throws(DNSFailure) -> [DNSAttempt] {
        _ = try server.serverAddress()
        return await loop.run(
            CAresOrder(
                name: query.name, id: .random(in: 0...UInt16.max), ednsSize: ednsSize, server: server,
                scope: try server.scopeID(), deadline: query.deadline))
    }
}
