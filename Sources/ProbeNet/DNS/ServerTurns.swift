import ProbeDNS
package import ProbeKit

/// Servers that are asked one after the other for records.
package enum ServerTurns {
    /// Returns the answer of the first server that has one. Each has an equal part of the time.
    ///
    /// A server that only refers to others does not serve the name: the next one is asked, and the referral counts if it is
    /// the last one's.
    ///
    /// - Throws: the failure of the last server.
    package static func first<Answer>(
        of servers: [Endpoint], by deadline: Deadline, message: (Answer) -> DNSMessage,
        ask: (_ server: Endpoint, _ deadline: Deadline) async throws(DNSFailure) -> Answer
    ) async throws(DNSFailure) -> Answer {
        var failure = DNSFailure(.badQuery, "no DNS server was given")
        for (index, server) in servers.enumerated() {
            let left = servers.count - index
            do throws(DNSFailure) {
                let answer = try await ask(server, deadline.share(among: left))
                guard message(answer).isReferral, left > 1 else { return answer }
                failure = DNSFailure(.gaveUp, "\(server) refers to other servers")
            } catch {
                failure = error
            }
        }
        throw failure
    }
}
