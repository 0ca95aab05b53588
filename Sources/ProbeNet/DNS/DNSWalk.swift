package import ProbeKit

/// The walk over a query's servers, whatever carries the exchanges with them.
package enum DNSWalk: Sendable {
    /// The longest wait for one try that is not the last one.
    private static let patience = Duration.seconds(5)

    /// Asks servers in turn, as many rounds as the query has tries, until one has answered, the deadline has passed or the
    /// task is cancelled. What is left of the time is shared evenly among the tries that are left.
    ///
    /// - Parameter ask: tries one server until the deadline given, adds its attempts, and says what they come to.
    package static func over<Server: Equatable>(
        _ servers: [Server], _ query: DNSQuery,
        ask: (Server, Deadline, inout [DNSAttempt]) async -> DNSConclusion
    ) async -> DNSReport {
        var attempts: [DNSAttempt] = []
        var waiting = Array(repeating: servers, count: max(1, query.tries)).joined().map(\.self)
        while let server = waiting.first, attempts.isEmpty || query.deadline.remaining > .zero, !Task.isCancelled {
            let share = query.deadline.remaining / waiting.count
            let limit = waiting.count == 1 ? share : min(share, patience)
            waiting.removeFirst()
            switch await ask(server, min(.after(limit), query.deadline), &attempts) {
            case .settled: return DNSReport(attempts: attempts)
            case .undecided: continue
            case .hopeless: waiting.removeAll { $0 == server }
            }
        }
        return DNSReport(attempts: attempts)
    }
}
