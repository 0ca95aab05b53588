import ProbeDNS
import ProbeKit

/// Queries the names of a model check in order through one resolver, until one answers about the model.
struct ModelWalk: Sendable {
    let clock: ProbeClock

    /// Returns the evidence from the names' answers.
    func evidence(_ check: ModelCheck, through resolver: any Resolver, deadline: Deadline) async -> ModelEvidence {
        var answers: [ModelEvidence.Answer] = []
        var missing: Set<ResolverCapability> = []
        for host in check.hosts {
            let query = check.query(
                for: host, through: resolver.capabilities, at: clock.now, deadline: deadline)
            missing = query.requiredCapabilities.subtracting(resolver.capabilities)
            guard missing.isEmpty else { break }
            let start = ContinuousClock.now
            let report = await resolver.resolve(query)
            let duration = start.duration(to: .now)
            let reading = ModelReading(
                report, name: host, model: check.model, strings: check.strings, dnssec: check.dnssec)
            answers.append(
                ModelEvidence.Answer(host: host, report: report, reading: reading, duration: duration))
            if reading.isAuthoritative || Task.isCancelled { break }
        }
        return ModelEvidence(resolver: resolver.identity, model: check.model, answers: answers, missing: missing)
    }
}
