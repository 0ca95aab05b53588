import ProbeDNS
package import ProbeKit

/// Servers that are asked one after the other for records.
package enum ServerTurns {
    /// Returns the answer of the first server that has one. Each has an equal part of the time.
    ///
    /// A server that only refers to others (RFC 1034 section 4.3.2), or that has nothing and asks nobody, does not serve the
    /// name, and says nothing about its records: the next one is asked.
    ///
    /// - Throws: the failure of the last server; a reply of that kind is one.
    package static func first<Answer>(
        of servers: [Endpoint], by deadline: Deadline, message: (Answer) -> DNSMessage,
        ask: (_ server: Endpoint, _ deadline: Deadline) async throws(DNSFailure) -> Answer
    ) async throws(DNSFailure) -> Answer {
        var failure = DNSFailure(.badQuery, "no DNS server was given")
        for (index, server) in servers.enumerated() {
            do throws(DNSFailure) {
                let answer = try await ask(server, deadline.share(among: servers.count - index))
                let reply = message(answer)
                guard reply.isLame else { return answer }
                let reason =
                    reply.isReferral ? "refers to other servers" : "neither serves the name nor asks other servers"
                failure = DNSFailure(.gaveUp, "\(server) \(reason)")
            } catch {
                failure = error
            }
        }
        throw failure
    }
}
