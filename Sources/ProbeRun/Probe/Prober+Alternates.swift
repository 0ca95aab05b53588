public import ProbeKit
import ProbeTrust

extension Prober {
    /// Returns the facts of one target as one transport shows them; if it does not answer, those of the first alternate
    /// that does, else of the last one.
    ///
    /// Only a missing answer leads to the next target: the verdict on any answer is final. All share the deadline: each
    /// may take an equal part of the rest, so that a target that never answers leaves time for those after it.
    public func observe(_ check: Check, through transport: any Transport, deadline: Deadline) async
        -> ConnectionEvidence
    {
        await observed(check, through: transport, deadline: deadline).evidence
    }

    /// Returns the same with the findings about it.
    func observed(
        _ check: Check, through transport: any Transport, deadline: Deadline, certificates: ReadCertificates? = nil
    ) async -> ObservedConnection {
        let certificates = certificates ?? reference.certificates()
        return check.alternates.isEmpty
            ? await observeAlone(check, through: transport, deadline: deadline, certificates: certificates)
            : await observeInTurn(check, through: transport, deadline: deadline, certificates: certificates)
    }

    @inline(never) private func observeInTurn(
        _ check: Check, through transport: any Transport, deadline: Deadline, certificates: ReadCertificates
    ) async -> ObservedConnection {
        let targets = [check.target] + check.alternates
        var silent: [ConnectionAttempt] = []
        while true {
            let target = targets[silent.count]
            let part = Deadline.after(deadline.remaining / (targets.count - silent.count))
            let connection = await observeAlone(
                check.aimed(at: target), through: transport, deadline: min(part, deadline), certificates: certificates,
                attempts: silent + [ConnectionAttempt(target: target, failure: nil)]
            ).standing(for: check)
            // Evidence from before a connection broke may already fail. An alternate stands in for a server that does not
            // answer, not for one that we were too late to hear.
            let verdict = Verdict(connection.findings)
            guard verdict.outcomeClass == .transient, verdict.outcome != .localOverload else { return connection }
            var evidence = connection.evidence
            silent.append(ConnectionAttempt(target: target, failure: evidence.report.failure))
            guard deadline.remaining > .zero, silent.count < targets.count else {
                evidence.attempts = silent
                return ObservedConnection(check, evidence)
            }
            await limiter?.turn(for: targets[silent.count].endpoint.host)
        }
    }
}
