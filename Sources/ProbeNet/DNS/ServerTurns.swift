import ProbeDNS
package import ProbeKit

/// Servers that are asked one after the other for records.
package enum ServerTurns {
    /// Returns the answer of the first server that has one. Each has an equal part of the time.
    ///
    /// A server that only refers to others does not serve the name, and says nothing about its records (RFC 1034 section
    /// 4.3.2): the next one is asked.
    ///
    /// - Throws: the failure of the last server; a referral is one.
    package static func first<Answer>(
        of servers: [Endpoint], by deadline: Deadline, message: (Answer) -> DNSMessage,
        ask: (_ server: Endpoint, _ deadline: Deadline) async throws(DNSFailure) -> Answer
    ) async throws(DNSFailure) -> Answer {
        var failure = DNSFailure(.badQuery, "no DNS server was given")
        for (index, server) in servers.enumerated() {
            do throws(DNSFailure) {
                let answer = try await ask(server, deadline.share(among: servers.count - index))
                guard message(answer).isReferral else { return answer }
                failure = DNSFailure(.gaveUp, "\(server) refers to other servers")
            } catch {
                failure = error
            }
        }
        throw failure
    }
}
