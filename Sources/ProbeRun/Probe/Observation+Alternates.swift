import ProbeKit
import ProbeTrust

extension Observation {
    /// Makes the handshake with the target; if it does not answer, with its alternates until one does. Returns the facts of the
    /// first that answers, else of the last.
    ///
    /// Only a missing answer leads to the next target: the verdict on any answer is final. All share the deadline: each
    /// may take an equal part of the rest, so that a target that never answers leaves time for those after it.
    func answered() async -> ObservedConnection {
        check.alternates.isEmpty ? await connection() : await inTurn()
    }

    @inline(never) private func inTurn() async -> ObservedConnection {
        let targets = [check.target] + check.alternates
        var silent: [ConnectionAttempt] = []
        while true {
            let target = targets[silent.count]
            let part = Deadline.after(deadline.remaining / (targets.count - silent.count))
            let connection = await aimed(at: target, until: min(part, deadline))
                .connection(attempts: silent + [ConnectionAttempt(target: target, failure: nil)])
            if let last = last(connection.standing(for: check), at: target, of: targets.count, &silent) { return last }
            await prober.limiter?.turn(for: targets[silent.count].endpoint.host)
        }
    }

    /// Returns the connection that no other follows; nil if the next target is asked, for which it adds the silent one.
    @inline(never) private func last(
        _ connection: ObservedConnection, at target: Target, of count: Int, _ silent: inout [ConnectionAttempt]
    ) -> ObservedConnection? {
        // Evidence from before a connection broke may already fail. An alternate stands in for a server that does not
        // answer, not for one that we were too late to hear, nor for a mail host whose TLSA records are not known.
        let verdict = Verdict(connection.findings)
        guard verdict.outcomeClass == .transient, ![.localOverload, .dnsIndeterminate].contains(verdict.outcome) else {
            return connection
        }
        silent.append(ConnectionAttempt(target: target, failure: connection.evidence.report.failure))
        guard deadline.remaining > .zero, silent.count < count else { return connection.ending(silent) }
        return nil
    }

    /// Returns that of one of the targets.
    @inline(never) private func aimed(at target: Target, until deadline: Deadline) -> Observation {
        Observation(
            check.aimed(at: target), through: transport, by: prober, deadline: deadline,
            certificates: decision.certificates, approval: approval)
    }
}
