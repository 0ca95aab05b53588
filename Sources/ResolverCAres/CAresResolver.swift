public import ProbeKit
import ProbeNet

/// Asks for TXT records with c-ares, which does its own I/O, waiting, fallbacks and matching of replies.
///
/// c-ares is asked to hand over every reply; which server to ask again after an error code is decided here, as for every
/// resolver of this package.
public struct CAresResolver: Resolver {
    /// `cares`, with the version of the library as loaded.
    public let identity: BackendIdentity
    /// Everything but DNSSEC validation, and EDNS sizes that c-ares 1.18 calls misformatted.
    public let capabilities: Set<ResolverCapability> = [
        .rawReply, .chosenServers, .ednsSize, .withoutEDNS, .tcpOnTruncation, .failureReasons,
    ]

    private let loop = CAresLoop()

    /// A resolver; it keeps no answers between queries, and has a thread while there are any.
    public init() {
        identity = BackendIdentity(name: "cares", library: "c-ares", version: CAresLibrary.version)
    }

    /// Asks over UDP, and over TCP where a reply is truncated or bigger than was advertised.
    public func resolve(_ query: DNSQuery) async -> DNSReport {
        var attempts: [DNSAttempt] = []
        var waiting: [Endpoint] = []
        for server in query.servers {
            do throws(DNSFailure) {
                _ = try server.serverAddress()
                waiting.append(server)
            } catch {
                attempts.append(Self.refused(server, query, error))
            }
        }
        waiting = Array(repeating: waiting, count: max(1, query.tries)).flatMap(\.self)
        var isFirst = true
        while !waiting.isEmpty, isFirst || query.deadline.remaining > .zero, !Task.isCancelled {
            isFirst = false
            let outcome = await ask(&waiting, query)
            attempts += outcome
            guard let last = outcome.last else { break }
            switch DNSConclusion(of: last) {
            case .settled: return DNSReport(attempts: attempts)
            case .undecided: continue
            case .hopeless: waiting.removeAll { $0.description == last.server }
            }
        }
        return DNSReport(attempts: attempts)
    }

    /// Has c-ares walk the servers until one of them replies, and takes off the list those that are done with. The time is
    /// shared evenly among them; where that is more than enough, the last one is kept back and has what remains.
    private func ask(_ waiting: inout [Endpoint], _ query: DNSQuery) async -> [DNSAttempt] {
        let share = query.deadline.remaining / waiting.count
        let isLong = waiting.count > 1 && share > DNSWalk.patience
        let servers = isLong ? waiting.dropLast() : waiting
        let outcome = await ask(servers, query, ednsSize: query.ednsSize, isLong ? DNSWalk.patience : share)
        waiting.removeFirst(min(max(1, outcome.tries), servers.count))
        // c-ares itself takes FORMERR alone for a refusal of EDNS.
        guard let last = outcome.attempts.last, last.ednsSize != nil, DNSConclusion.refusesEDNS(last.reply ?? []),
            let server = servers.first(where: { $0.description == last.server })
        else { return outcome.attempts }
        let rest = query.deadline.remaining / (waiting.count + 1)
        return outcome.attempts + (await ask([server], query, ednsSize: nil, rest)).attempts
    }

    private func ask(
        _ servers: [Endpoint], _ query: DNSQuery, ednsSize: UInt16?, _ timeout: Duration
    ) async -> CAresOutcome {
        await loop.run(
            CAresOrder(
                name: query.name, id: .random(in: 0...UInt16.max), ednsSize: ednsSize, servers: servers,
                timeout: timeout, deadline: query.deadline))
    }

    private static func refused(_ server: Endpoint, _ query: DNSQuery, _ failure: DNSFailure) -> DNSAttempt {
        DNSAttempt(
            server: server.description, channel: .udp, ednsSize: query.ednsSize, id: 0, reply: nil, native: nil,
            failure: failure, duration: .zero)
    }
}
