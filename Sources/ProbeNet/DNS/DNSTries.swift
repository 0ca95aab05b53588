import ProbeKit

/// The tries of a walk over a query's servers.
///
/// It is an object, and its functions are not inlined: a scan has thousands of walks that wait, each of which would keep their
/// variables.
final class DNSTries<Server: Equatable & Sendable> {
    /// A try that begins.
    struct Try: Sendable {
        let number: Int
        let server: Server
        /// The time until the next one begins; nil if it is the last.
        let share: Duration?
    }

    private let deadline: Deadline
    private var waiting: [Server]
    private var tries: [(server: Server, attempts: [DNSAttempt]?)] = []
    private var answered: Int?
    private var isDue = true

    /// Creates the tries of a query.
    ///
    /// - Parameter first: the attempts of the first one, if it is over already.
    @inline(never) init(_ servers: [Server], _ query: DNSQuery, after first: [DNSAttempt]? = nil) {
        deadline = query.deadline
        waiting = Array(repeating: servers, count: max(1, query.tries)).flatMap(\.self)
        guard let first, !waiting.isEmpty else { return }
        tries.append((waiting.removeFirst(), nil))
        end(0, with: first)
    }

    /// True if a server has answered.
    var isAnswered: Bool { answered != nil }

    /// True if a try is not over.
    var isUnderWay: Bool { tries.contains { $0.attempts == nil } }

    /// Returns the next try; nil if it is not time for one.
    @inline(never) func next() -> Try? {
        let left = deadline.remaining
        guard isDue, let server = waiting.first, tries.isEmpty || left > .zero, !Task.isCancelled else { return nil }
        isDue = false
        let share = min(left / waiting.count, DNSWalk.patience)
        waiting.removeFirst()
        tries.append((server, nil))
        return Try(number: tries.count - 1, server: server, share: waiting.isEmpty ? nil : share)
    }

    /// Lets the next try begin, if none began since.
    func timePassed(of number: Int) {
        isDue = isDue || number == tries.count - 1
    }

    /// Ends a try; another one of its server follows only if that may help.
    @inline(never) func end(_ number: Int, with attempts: [DNSAttempt]) {
        tries[number].attempts = attempts
        timePassed(of: number)
        switch attempts.last.map(DNSConclusion.init) {
        case .settled: answered = number
        case .hopeless: waiting.removeAll { $0 == tries[number].server }
        case .undecided, nil: break
        }
    }

    /// Ends a try for which nobody waits any more.
    @inline(never) func overtake(_ number: Int, with attempts: [DNSAttempt]) {
        tries[number].attempts = attempts.map(\.overtaken)
    }

    /// Returns the attempts, those of the answered try last.
    @inline(never) func report() -> DNSReport {
        if let answered { tries.append(tries.remove(at: answered)) }
        return DNSReport(attempts: tries.flatMap { $0.attempts ?? [] })
    }
}

extension DNSAttempt {
    /// The same attempt, marked as overtaken by another if it was cancelled.
    fileprivate var overtaken: DNSAttempt {
        guard failure == .cancelled else { return self }
        return with(failure: .overtaken)
    }
}
