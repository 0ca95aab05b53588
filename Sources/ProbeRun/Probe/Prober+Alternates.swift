public import ProbeKit

extension Prober {
    /// Returns the facts of one target as one transport shows them; if it does not answer, those of the first alternate
    /// that does, else of the last one.
    ///
    /// Only a missing answer leads to the next target: the verdict on any answer is final. All share the deadline: each
    /// may take an equal part of the rest, so that a target that never answers leaves time for those after it.
    public func observe(_ check: Check, through transport: any Transport, deadline: Deadline) async
        -> ConnectionEvidence
    {
        if check.alternates.isEmpty { return await observeAlone(check, through: transport, deadline: deadline) }
        return await observeInTurn(check, through: transport, deadline: deadline)
    }

    private func observeInTurn(_ check: Check, through transport: any Transport, deadline: Deadline) async
        -> ConnectionEvidence
    {
        let targets = [check.target] + check.alternates
        var attempts: [ConnectionAttempt] = []
        while true {
            let aimed = check.aimed(at: targets[attempts.count])
            let part = Deadline.after(deadline.remaining / (targets.count - attempts.count))
            var evidence = await observeAlone(aimed, through: transport, deadline: min(part, deadline))
            let isSilent = isSilent(aimed, evidence)
            attempts.append(
                ConnectionAttempt(target: aimed.target, failure: isSilent ? evidence.report.failure : nil))
            evidence.attempts = attempts
            guard isSilent, deadline.remaining > .zero, attempts.count < targets.count else { return evidence }
            await limiter?.turn(for: targets[attempts.count].endpoint.host)
        }
    }

    /// Returns true if nothing was learned about the target. Evidence from before a connection broke may already fail.
    private func isSilent(_ check: Check, _ evidence: ConnectionEvidence) -> Bool {
        let findings = check.connectionPolicy.judge(Evidence(connection: evidence, model: nil), at: evidence.instant)
        let verdict = Verdict(findings)
        // An alternate stands in for a server that does not answer, not for one that we were too late to hear.
        return verdict.outcomeClass == .transient && verdict.outcome != .localOverload
    }
}
