import ProbeDNS
public import ProbeKit
import ProbeNet

/// Asks for TXT records with libunbound, which does its own exchanges, follows aliases itself, and validates DNSSEC.
///
/// libunbound hides its exchanges: each try at a server is one attempt whose channel is ``DNSAttempt/Channel/unknown``, and
/// its reply is the one libunbound has put together, with libunbound's id. It always sends EDNS and asks for signatures.
///
/// The content of OPT records is lost: response codes above 15, and extended errors for forged or filtered answers (RFC
/// 8914), and for stale ones. So is damage that libunbound tolerates. The server is therefore asked directly at the same time.
/// Unless only validated answers count, a direct reply of which nothing is known decides. Replies that end in an unresolved
/// alias, or are referrals, are of this kind: libunbound asks further and hides everything but the records. A direct reply
/// without a list, or with one behind an alias, decides too where libunbound comes to another list or to none. With every
/// other resolver these replies decide as well. Where DNSSEC proves or refuses the answer, the direct reply is only
/// evidence. These attempts are in the report like all others.
public struct UnboundResolver: Resolver {
    /// `unbound`, with the loaded version of the library.
    public var identity: BackendIdentity { UnboundLibrary.identity }
    /// `unbound`.
    public var name: String { UnboundLibrary.name }
    /// The absence of libunbound.
    public var absence: BackendAbsence? { UnboundLibrary.absence }
    /// UDP and TCP, with validation; neither TLS nor HTTPS, always with EDNS, and without reasons for failures.
    public let capabilities: Set<ResolverCapability> = [
        .rawReply, .chosenServers, .zonedServers, .ednsSize, .bigEDNSSize, .tcpOnTruncation, .dnssecValidation,
    ]

    private let direct = DNSExchange(codec: SwiftDNSCodec())

    /// Creates a resolver; it keeps no state between queries.
    public init() {
    }

    /// Asks the servers in turn, as many rounds as the query has tries, until one has given an answer.
    public func resolve(_ query: DNSQuery) async -> DNSReport {
        await DNSWalk.over(query.servers, query) { await ask($0, query) }
    }

    /// The longest wait for a direct reply beside an answer that is proved without it. It was asked for at the same time, and
    /// takes one exchange where validation takes several.
    private static let patience = Duration.seconds(1)

    /// Returns one try at one server; the last of its attempts counts.
    private func ask(_ server: Endpoint, _ query: DNSQuery) async -> [DNSAttempt] {
        let start = ContinuousClock.now
        let settings: UnboundSettings
        do throws(DNSFailure) {
            if let absence { throw absence.dnsFailure }
            settings = try UnboundSettings(query, server: server)
        } catch {
            // The direct exchange does not ask it in libunbound's place.
            return [Self.unanswered(server, query, error, since: start)]
        }
        let plain = DNSQuery(
            name: query.name, servers: [server], ednsSize: query.ednsSize, tries: 1,
            deadline: query.deadline)
        return await withTaskGroup(of: [DNSAttempt].self) { group in
            group.addTask { await direct.resolve(plain).attempts }
            // Returning ends the direct exchange, and the wait for it.
            defer { group.cancelAll() }
            let own = await attempt(server, query, settings)
            guard own.failure != .cancelled else { return [own] }
            if own.dnssec == .secure {
                group.addTask {
                    try? await Task.sleep(for: Self.patience)
                    return []
                }
                let seen = await group.next() ?? []
                return seen.filter { $0.reply != nil } + [own]
            }
            guard query.dnssec != .require else { return [own] }
            // If libunbound gave up, the server's own reply may give the reason (RFC 8914).
            let seen = await group.next() ?? []
            // Bogus data lead to the next server, which a direct reply that decides could prevent.
            if case .bogus = own.dnssec { return seen + [own] }
            return Self.isRefused(own, by: seen, name: query.name) ? [own] + seen : seen + [own]
        }
    }

    /// Returns true if the server's own reply does not permit libunbound's answer: nothing is known about that reply, or it
    /// differs and has no list, or has one behind an alias, for whose target libunbound asks again. A missing reply is one of
    /// which nothing is known.
    private static func isRefused(_ own: DNSAttempt, by seen: [DNSAttempt], name: DNSName) -> Bool {
        guard let direct = list(of: seen, name) else { return true }
        guard let own = list(of: [own], name), own != direct else { return false }
        let aliases = (try? seen.last?.parsed?.get())?.aliases ?? []
        return direct.isEmpty || !aliases.isEmpty
    }

    /// Returns the records without their TTLs, which libunbound counts down and caps; none for an absence, and nil if nothing
    /// is known.
    private static func list(of attempts: [DNSAttempt], _ name: DNSName) -> Set<TXTRecord>? {
        switch TXTReader.read(DNSReport(attempts: attempts), name: name) {
        case .records(let records): Set(records.map { TXTRecord(owner: $0.owner, ttl: 0, strings: $0.strings) })
        case .absent: []
        case .indeterminate: nil
        }
    }

    private func attempt(_ server: Endpoint, _ query: DNSQuery, _ settings: UnboundSettings) async -> DNSAttempt {
        let start = ContinuousClock.now
        let answer: UnboundAnswer
        do throws(DNSFailure) {
            answer = try await UnboundLookup(settings, until: query.deadline).run().get()
            if let failure = answer.failure(isLate: query.deadline.remaining <= .zero) { throw failure }
        } catch {
            return Self.unanswered(server, query, error, since: start)
        }
        return DNSAttempt(
            server: server.description, channel: .unknown, ednsSize: query.ednsSize, id: answer.id,
            reply: answer.packet.isEmpty ? nil : answer.packet, native: answer.native,
            dnssec: query.dnssec == .off ? nil : answer.dnssec, failure: nil, duration: start.duration(to: .now))
    }

    /// Returns the attempt without an answer of libunbound.
    private static func unanswered(
        _ server: Endpoint, _ query: DNSQuery, _ failure: DNSFailure, since start: ContinuousClock.Instant
    ) -> DNSAttempt {
        .unsent(
            to: server.description, over: .unknown, ednsSize: query.ednsSize, failure: failure,
            duration: start.duration(to: .now))
    }
}
