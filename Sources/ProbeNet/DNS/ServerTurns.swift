import ProbeDNS
package import ProbeKit

/// Servers that are asked one after the other for records.
package enum ServerTurns {
    /// Returns the answer of the first server that has one. Each has an equal part of the time.
    ///
    /// A server that only refers to others (RFC 1034 section 4.3.2) does not serve the name, and one that returns an empty
    /// reply and offers no recursion may not: the next one is asked. If none of these answers, the first empty reply counts,
    /// since servers that do serve the name may send such a one (RFC 2308 section 2.2, type 3).
    ///
    /// - Parameter leadsOn: returns true for a referral, and for an empty reply after which the next server is asked.
    /// - Throws: the failure of the last server; a referral is one.
    package static func first<Answer>(
        of servers: [Endpoint], by deadline: Deadline, message: (Answer) -> DNSMessage, leadsOn: (Answer) -> Bool,
        ask: (_ server: Endpoint, _ deadline: Deadline) async throws(DNSFailure) -> Answer
    ) async throws(DNSFailure) -> Answer {
        var failure = DNSFailure(.badQuery, "no DNS server was given")
        var empty: Answer?
        for (index, server) in servers.enumerated() {
            do throws(DNSFailure) {
                // Beside an empty reply the others are asked for a proof alone: their silence leaves time for what follows.
                let parts = servers.count - index + (empty == nil ? 0 : 1)
                let answer = try await ask(server, deadline.share(among: parts))
                guard leadsOn(answer) else { return answer }
                if message(answer).isReferral {
                    failure = DNSFailure(.gaveUp, "\(server) refers to other servers")
                } else if empty == nil {
                    empty = answer
                }
            } catch {
                failure = error
            }
        }
        guard let empty else { throw failure }
        return empty
    }
}
