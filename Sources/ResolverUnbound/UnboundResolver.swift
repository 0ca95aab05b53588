import ProbeDNS
public import ProbeKit
import ProbeNet

/// Asks for TXT records with libunbound, which does its own exchanges, follows aliases itself, and validates DNSSEC.
///
/// libunbound hides its exchanges: each try at a server is one attempt whose channel is ``DNSAttempt/Channel/unknown``, and
/// its reply is the one libunbound has put together, with libunbound's id. It always sends EDNS and asks for signatures.
///
/// The content of OPT records is lost: response codes above 15, and extended errors for forged or filtered answers (RFC
/// 8914). So is damage that libunbound tolerates. Unless only validated answers count, the server is therefore asked
/// directly at the same time, and a reply of that kind decides; these attempts are in the report like all others.
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

    /// Returns one try at one server; the last of its attempts counts.
    private func ask(_ server: Endpoint, _ query: DNSQuery) async -> [DNSAttempt] {
        guard query.dnssec != .require else { return [await attempt(server, query)] }
        let plain = DNSQuery(
            name: query.name, servers: [server], ednsSize: query.ednsSize, tries: 1,
            deadline: query.deadline)
        async let control = direct.resolve(plain)
        let attempt = await attempt(server, query)
        // Returning cancels the control. If libunbound gave up, the server's own reply may give the reason (RFC 8914).
        guard attempt.dnssec != .secure, attempt.failure != .cancelled else { return [attempt] }
        let seen = await control
        return Self.isRefused(TXTReader.read(seen, name: query.name))
            ? [attempt] + seen.attempts : seen.attempts + [attempt]
    }

    /// Returns true if the server's own reply is one that libunbound should not have accepted. A missing reply counts
    /// too: nothing is known about it. A reply that ends within an alias does not: libunbound asks for the rest of it.
    private static func isRefused(_ reading: TXTReading) -> Bool {
        switch reading {
        case .records, .absent: false
        case .indeterminate(.unanswered): true
        case .indeterminate(.unusable(let fault)): ![.noProof, .referral].contains(fault.code)
        }
    }

    private func attempt(_ server: Endpoint, _ query: DNSQuery) async -> DNSAttempt {
        let start = ContinuousClock.now
        let answer: UnboundAnswer
        do throws(DNSFailure) {
            if let absence { throw absence.dnsFailure }
            let settings = try UnboundSettings(query, server: server)
            answer = try await UnboundLookup(settings, until: query.deadline).run().get()
            if let failure = answer.failure(isLate: query.deadline.remaining <= .zero) { throw failure }
        } catch {
            return .unsent(
                to: server.description, over: .unknown, ednsSize: query.ednsSize, failure: error,
                duration: start.duration(to: .now))
        }
        return DNSAttempt(
            server: server.description, channel: .unknown, ednsSize: query.ednsSize, id: answer.id,
            reply: answer.packet.isEmpty ? nil : answer.packet, native: answer.native,
            dnssec: query.dnssec == .off ? nil : answer.dnssec, failure: nil, duration: start.duration(to: .now))
    }
}
