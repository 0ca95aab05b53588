import ProbeDNS
package import ProbeKit

/// The walk over a query's servers, whatever carries the exchanges with them.
package enum DNSWalk: Sendable {
    /// The longest wait before the next try begins.
    package static let patience = Duration.seconds(5)

    /// An event that the walk waits for.
    private enum Event: Sendable {
        /// The time of a try has passed, and the next one may begin.
        case due(Int)
        /// A try is over.
        case over(Int, [DNSAttempt])
    }

    /// Asks servers in turn, as many rounds as the query has tries, until one has answered, the deadline has passed or
    /// the task is cancelled. The remaining time is shared evenly among the remaining tries.
    ///
    /// A try whose share is over continues when the next one begins: its answer may be late, and counts until the
    /// deadline. The attempts of the answered try come last in the report.
    ///
    /// - Parameter ask: tries one server until the query's deadline; the last of its attempts decides.
    package static func over<Server: Equatable & Sendable>(
        _ servers: [Server], _ query: DNSQuery, ask: @escaping @Sendable (Server) async -> [DNSAttempt]
    ) async -> DNSReport {
        await withTaskGroup(of: Event.self) { group in
            var waiting = Array(repeating: servers, count: max(1, query.tries)).flatMap(\.self)
            var tries: [(server: Server, attempts: [DNSAttempt]?)] = []
            var answered: Int?
            var isDue = true
            while answered == nil {
                let left = query.deadline.remaining
                if isDue, let server = waiting.first, tries.isEmpty || left > .zero, !Task.isCancelled {
                    isDue = false
                    let (number, share) = (tries.count, min(left / waiting.count, patience))
                    waiting.removeFirst()
                    tries.append((server, nil))
                    group.addTask { .over(number, await ask(server)) }
                    if !waiting.isEmpty {
                        group.addTask {
                            try? await Task.sleep(for: share)
                            return .due(number)
                        }
                    }
                }
                guard tries.contains(where: { $0.attempts == nil }), let event = await group.next() else { break }
                switch event {
                case .due(let number):
                    isDue = isDue || number == tries.count - 1
                case .over(let number, let attempts):
                    tries[number].attempts = attempts
                    isDue = isDue || number == tries.count - 1
                    switch attempts.last.map(DNSConclusion.init) {
                    case .settled: answered = number
                    case .hopeless: waiting.removeAll { $0 == tries[number].server }
                    case .undecided, nil: break
                    }
                }
            }
            group.cancelAll()
            for await case .over(let number, let attempts) in group {
                tries[number].attempts = attempts.map(\.overtaken)
            }
            if let answered { tries.append(tries.remove(at: answered)) }
            return DNSReport(attempts: tries.flatMap { $0.attempts ?? [] })
        }
    }
}

extension DNSAttempt {
    /// The same attempt, marked as overtaken by another if it was cancelled.
    fileprivate var overtaken: DNSAttempt {
        guard failure == .cancelled else { return self }
        return with(failure: .overtaken)
    }
}

/// The result of one try at one server, as far as it matters to the walk over the servers.
package enum DNSConclusion: Sendable {
    /// The server has answered; the strict reader decides what the answer is worth.
    case settled
    /// The same server may answer the next time.
    case undecided
    /// The server will not answer this query.
    case hopeless

    /// Creates the conclusion of an attempt.
    package init(of attempt: DNSAttempt) {
        guard let reply = attempt.received, let header = reply.header else {
            self = attempt.failure?.code == .badQuery ? .hopeless : .undecided
            return
        }
        let message = try? reply.message.get()
        guard message?.isReferral != true else {
            self = .hopeless
            return
        }
        // The upper bits of the code are the OPT record's: BADVERS would be NOERROR without them.
        switch message?.responseCode ?? header.responseCode {
        case .noError, .nameError: self = .settled
        case .serverFailure: self = .undecided
        default: self = .hopeless
        }
    }

    /// Returns true if the reply comes from a server that does not support EDNS: FORMERR or NOTIMP without an OPT record
    /// (RFC 6891 section 7), or without any record.
    package static func refusesEDNS(_ reply: DNSReply) -> Bool {
        guard [.formatError, .notImplemented].contains(reply.header?.responseCode) else { return false }
        if reply.bytes.count == DNSHeader.size { return true }
        guard let message = try? reply.message.get() else { return false }
        return message.options == nil
    }
}
