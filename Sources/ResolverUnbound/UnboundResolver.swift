public import ProbeKit

/// Asks for TXT records with libunbound, which does its own exchanges, follows aliases by itself, and validates DNSSEC.
///
/// libunbound hides its exchanges: each try at a server is one attempt whose channel is ``DNSAttempt/Channel/unknown``, and
/// its reply is the one libunbound has put together, with libunbound's id. It always sends EDNS and asks for signatures.
public struct UnboundResolver: Resolver {
    /// `unbound`, with the version of the library as loaded.
    public let identity: BackendIdentity
    /// Everything but asking without EDNS.
    public let capabilities: Set<ResolverCapability> = [
        .rawReply, .chosenServers, .ednsSize, .tcpOnTruncation, .dnssecValidation,
    ]

    /// The longest wait for one try that is not the last one.
    private let patience = Duration.seconds(5)

    /// A resolver; it keeps no state between queries.
    public init() {
        identity = BackendIdentity(name: "unbound", library: "libunbound", version: UnboundLibrary.version)
    }

    /// Asks the servers in turn, as many rounds as the query has tries, until one has given an answer; what is left of the
    /// time is shared evenly among the tries that are left.
    public func resolve(_ query: DNSQuery) async -> DNSReport {
        let tries = Array(repeating: query.servers, count: max(1, query.tries)).flatMap(\.self)
        var attempts: [DNSAttempt] = []
        for (index, server) in tries.enumerated() {
            let left = query.deadline.remaining
            guard attempts.isEmpty || left > .zero, !Task.isCancelled else { break }
            let isLast = index == tries.count - 1
            let attempt = await attempt(
                server, query, limit: isLast ? left : min(left / (tries.count - index), patience))
            attempts.append(attempt)
            if attempt.reply != nil { break }
        }
        return DNSReport(attempts: attempts)
    }

    private func attempt(_ server: Endpoint, _ query: DNSQuery, limit: Duration) async -> DNSAttempt {
        let start = ContinuousClock.now
        let answer: UnboundAnswer
        do throws(DNSFailure) {
            let settings = try UnboundSettings(query, server: server, patience: limit)
            answer = try await UnboundLookup(settings, until: .after(limit)).run().get()
            guard answer.isBogus || answer.responseCode != 2 else {
                throw DNSFailure(.gaveUp, "libunbound gave up: no usable reply came from the server, or none at all")
            }
        } catch {
            return DNSAttempt(
                server: server.description, channel: .unknown, ednsSize: query.ednsSize, id: 0, reply: nil, native: nil,
                failure: error, duration: start.duration(to: .now))
        }
        let id = answer.packet.count < 2 ? 0 : UInt16(answer.packet[0]) << 8 | UInt16(answer.packet[1])
        return DNSAttempt(
            server: server.description, channel: .unknown, ednsSize: query.ednsSize, id: id, reply: answer.packet,
            native: answer.native, dnssec: query.dnssec == .off ? nil : answer.dnssec, failure: nil,
            duration: start.duration(to: .now))
    }
}
