import ProbeDNS
import ProbeKit
import ProbePlatform

/// A model check that remembers: a success answers for its lifetime without a query, which bridges outages of DNS
/// (requirements 23 to 28), and calls that overlap ask once. Uses and updates are logged at debug level (requirement 31).
struct ModelMemory: Sendable {
    private let cache: any SuccessCache
    private let clock: ProbeClock
    private let log = ProbeLog(.model)
    private let flights = SingleFlight<CacheKey, Flown>()

    /// The result of a query, and its deadline.
    private struct Flown: Sendable {
        let evidence: ModelEvidence
        let deadline: Deadline
    }

    init(_ cache: any SuccessCache, clock: ProbeClock) {
        self.cache = cache
        self.clock = clock
    }

    /// The number of callers that wait for an answer.
    var waiting: Int { flights.waiting }

    /// Returns the remembered evidence, else queries the names.
    func evidence(_ check: ModelCheck, through resolver: any Resolver, deadline: Deadline) async -> ModelEvidence {
        guard let key = CacheKey(check, through: resolver.identity) else {
            return await ModelWalk(clock: clock).evidence(check, through: resolver, deadline: deadline)
        }
        while true {
            let flown = await flights.value(for: key, until: deadline) {
                Flown(
                    evidence: await recallOrAsk(check, key, through: resolver, deadline: deadline), deadline: deadline)
            }
            guard let flown else { return ModelEvidence(unanswered: check, by: resolver.identity) }
            // A query that reached another caller's deadline is not evidence for a caller whose deadline is later.
            let isCutOff = flown.evidence.isOpen && flown.deadline.remaining == .zero
            guard isCutOff, deadline.remaining > .milliseconds(100), !Task.isCancelled else { return flown.evidence }
        }
    }

    private func recallOrAsk(
        _ check: ModelCheck, _ key: CacheKey, through resolver: any Resolver, deadline: Deadline
    ) async -> ModelEvidence {
        let start = clock.now
        if let last = await cache.lastSuccess(of: key), check.cacheLifetime.covers(last, at: start) {
            log.debug("Using cached validation (last: \(public: RFC3339.format(last)))")
            return ModelEvidence(remembered: last, check, by: resolver.identity)
        }
        let evidence = await ModelWalk(clock: clock).evidence(check, through: resolver, deadline: deadline)
        if evidence.isMemorable, !Task.isCancelled {
            // It counts from the question on, not from the answer: the list may have changed in between (requirement 29).
            await cache.recordSuccess(of: key, at: start, for: check.cacheLifetime)
            log.debug("Cached new successful validation")
        }
        return evidence
    }
}

extension ModelEvidence {
    /// Creates evidence of a remembered success in place of answers.
    init(remembered: Date, _ check: ModelCheck, by resolver: BackendIdentity) {
        self.init(resolver: resolver, model: check.model, answers: [], missing: [], remembered: remembered)
    }

    /// The same if this process lost some of the time that the server was allowed.
    func attributed(lost: Duration, of allowed: Duration) -> ModelEvidence {
        let answers = answers.map { answer in
            guard case .indeterminate(.unanswered(let failure)) = answer.reading else { return answer }
            return Answer(
                host: answer.host, report: answer.report,
                reading: .indeterminate(.unanswered(failure.attributed(lost: lost, of: allowed))),
                duration: answer.duration)
        }
        return ModelEvidence(
            resolver: resolver, model: model, answers: answers, missing: missing, remembered: remembered)
    }

    /// Creates evidence of a question that was given up before it was answered.
    init(unanswered check: ModelCheck, by resolver: BackendIdentity) {
        let failure = DNSFailure(.timeout, "no answer came while there was time to wait for one")
        let answers = check.hosts.prefix(1).map { host in
            ModelEvidence.Answer(
                host: host, report: DNSReport(attempts: []), reading: .indeterminate(.unanswered(failure)),
                duration: .zero)
        }
        self.init(resolver: resolver, model: check.model, answers: answers, missing: [], remembered: nil)
    }
}

/// Queries the names of a model check in order through one resolver, until one answers about the model. Each has an equal
/// part of the time that is left, so that a silent one leaves time for those after it.
struct ModelWalk: Sendable {
    let clock: ProbeClock

    /// Returns the evidence from the names' answers.
    func evidence(_ check: ModelCheck, through resolver: any Resolver, deadline: Deadline) async -> ModelEvidence {
        var answers: [ModelEvidence.Answer] = []
        var missing: Set<ResolverCapability> = []
        for (index, host) in check.hosts.enumerated() {
            let query = check.query(
                for: host, through: resolver.capabilities, at: clock.now,
                deadline: deadline.share(among: check.hosts.count - index))
            missing = query.requiredCapabilities.subtracting(resolver.capabilities)
            guard missing.isEmpty else { break }
            let start = ContinuousClock.now
            let report = await resolver.resolve(query)
            let duration = start.duration(to: .now)
            // A program that failed its first hello may have reported its capabilities only now.
            missing = query.requiredCapabilities.subtracting(resolver.capabilities)
            guard missing.isEmpty else { break }
            let reading = check.reading(of: report, name: host)
            answers.append(
                ModelEvidence.Answer(host: host, report: report, reading: reading, duration: duration))
            if reading.isAuthoritative || Task.isCancelled { break }
        }
        return ModelEvidence(resolver: resolver.identity, model: check.model, answers: answers, missing: missing)
    }
}
