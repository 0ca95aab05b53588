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
    /// - Parameters:
    ///   - first: the attempts of the first server's first try, if it is over already.
    ///   - ask: tries one server until the query's deadline; the last of its attempts decides.
    package static func over<Server: Equatable & Sendable>(
        _ servers: [Server], _ query: DNSQuery, after first: [DNSAttempt]? = nil,
        ask: @escaping @Sendable (Server) async -> [DNSAttempt]
    ) async -> DNSReport {
        await withTaskGroup(of: Event.self) { group in
            let tries = DNSTries(servers, query, after: first)
            while !tries.isAnswered {
                if let next = tries.next() { begin(next, in: &group, ask) }
                guard tries.isUnderWay, let event = await group.next() else { break }
                switch event {
                case .due(let number): tries.timePassed(of: number)
                case .over(let number, let attempts): tries.end(number, with: attempts)
                }
            }
            group.cancelAll()
            for await case .over(let number, let attempts) in group { tries.overtake(number, with: attempts) }
            return tries.report()
        }
    }

    /// Begins a try, and waits for the time until the next one.
    @inline(never) private static func begin<Server: Equatable & Sendable>(
        _ next: DNSTries<Server>.Try, in group: inout TaskGroup<Event>,
        _ ask: @escaping @Sendable (Server) async -> [DNSAttempt]
    ) {
        group.addTask { .over(next.number, await ask(next.server)) }
        guard let share = next.share else { return }
        group.addTask {
            try? await Task.sleep(for: share)
            return .due(next.number)
        }
    }
}

/// The result of one try at one server, as far as it matters to the walk over the servers (decided: dns-answers).
package enum DNSConclusion: Sendable {
    /// The server has answered; the strict reader decides what the answer is worth.
    case settled
    /// The same server may answer the next time.
    case undecided
    /// The server will not answer this query.
    case hopeless

    /// Creates the conclusion of an attempt.
    package init(of attempt: DNSAttempt) {
        // A validator fails on bogus data (RFC 4035 section 5.5), which do not get better at the same server.
        if case .bogus = attempt.dnssec {
            self = .hopeless
            return
        }
        // Stacks that do not look at QR report an echo of the query as its reply, whose code means nothing. Nor does that of
        // another operation.
        guard let reply = attempt.received, let header = reply.header, header.isReply, header.opcode == 0 else {
            self = attempt.failure?.code == .badQuery ? .hopeless : .undecided
            return
        }
        let message = try? reply.message.get()
        guard message?.isLame != true else {
            self = .hopeless
            return
        }
        // The upper bits of the code are the OPT record's: BADVERS would be NOERROR without them. An error may be cut down to
        // its header; any other malformed or truncated reply is incomplete.
        switch message?.responseCode ?? header.responseCode {
        case .noError, .nameError: self = message == nil || header.isTruncated ? .undecided : .settled
        case .serverFailure: self = .undecided
        default: self = .hopeless
        }
    }

    /// Returns true if the reply comes from a server that does not support EDNS: FORMERR or NOTIMP without an OPT record
    /// (RFC 6891 section 7), or without any record.
    package static func refusesEDNS(_ reply: DNSReply) -> Bool {
        guard let header = reply.header, header.isReply,
            [.formatError, .notImplemented].contains(header.responseCode)
        else { return false }
        if reply.bytes.count == DNSHeader.size { return true }
        guard let message = try? reply.message.get() else { return false }
        return message.options == nil
    }
}
