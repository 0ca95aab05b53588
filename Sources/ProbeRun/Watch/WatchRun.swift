import ProbeKit

/// A running watch. It probes only while a caller waits for its next changes, so that it never runs ahead.
final class WatchRun {
    private let prober: Prober
    private let limiter: RateLimiter
    private let settings: WatchSettings
    private let clock: ProbeClock
    private let sleeper: any Sleeper
    private let store: any BaselineStore
    private var random: any RandomNumberGenerator
    private var items: [WatchItem]
    private var hasBaselines = false
    /// Those that replace stored ones once the caller has dealt with the changes that they come with: a drift is reported twice
    /// rather than never.
    private var unsaved: [(key: String, baseline: Baseline)] = []

    init(_ watch: Watch) {
        settings = watch.settings
        clock = watch.clock
        sleeper = watch.sleeper
        store = watch.baselines
        random = watch.random
        limiter = watch.limiter
        prober = Prober(
            clock: watch.clock, reference: watch.reference, limiter: watch.limiter, modelCache: watch.modelCache,
            pinCache: watch.pinCache, lateness: watch.lateness)
        let start = watch.sleeper.now
        items = watch.checks.map { WatchItem($0, start: start) }
    }

    /// Waits until something is due, probes it, and returns the changes; nil if nothing will be due any more, or the
    /// task is cancelled.
    ///
    /// Probes in progress are finished: cancelling them would cut connections, which would look like a server's fault.
    func next() async -> [StatusChange]? {
        await keepBaselines()
        if !hasBaselines { await readBaselines() }
        guard let due = items.compactMap(\.due).min() else { return nil }
        do {
            try await sleeper.sleep(until: due)
        } catch {
            return nil
        }
        guard !Task.isCancelled else { return nil }
        let now = sleeper.now
        var visits: [(item: Int, subjects: [Int], visit: WatchVisit)] = []
        for index in items.indices {
            let subjects = items[index].due(at: now)
            guard !subjects.isEmpty else { continue }
            items[index].beginRound(at: now, period: jitteredPeriod(), rounds: settings.rounds)
            visits.append((index, subjects, items[index].visit(subjects)))
        }
        let seen = await probe(visits.map(\.visit))
        var changes: [StatusChange] = []
        // One instant for all: subjects that fail together are tried again together.
        let taken = sleeper.now
        for ((item, subjects, _), seen) in zip(visits, seen) {
            changes += await take(seen, subjects, of: item, at: taken)
        }
        return changes
    }

    private func probe(_ visits: [WatchVisit]) async -> [WatchVisit.Seen] {
        let (prober, limiter, store, width) = (prober, limiter, store, settings.width)
        return await Task {
            await Concurrently.map(visits, atMost: width) { await $0.run(prober, limiter, store) }
        }.value
    }

    private func jitteredPeriod() -> Duration {
        let jitter = settings.boundedJitter
        return settings.period * (1 + Double.random(in: -jitter...jitter, using: &random))
    }

    /// Keeps what the changes so far leave behind: they are dealt with.
    func keepBaselines() async {
        for (key, baseline) in unsaved { await store.replaceBaseline(baseline, for: key) }
        unsaved = []
    }

    private func readBaselines() async {
        hasBaselines = true
        for index in items.indices {
            guard let check = items[index].check.check else { continue }
            for transport in items[index].check.transports {
                for target in [check.target] + check.alternates {
                    let key = WatchSubject.baselineKey(check, transport.identity, answering: target)
                    items[index].baselines[key] = await store.baseline(for: key)
                }
            }
        }
    }

    /// Returns the changes from a visit to some subjects of a check.
    private func take(
        _ seen: WatchVisit.Seen, _ subjects: [Int], of item: Int, at taken: ContinuousClock.Instant
    ) async -> [StatusChange] {
        var changes: [StatusChange] = []
        var told: Set<Int> = []
        hold(seen, item, at: taken)
        for index in subjects {
            let subject = items[item].subjects[index]
            guard let result = result(seen, subject, of: items[item].check) else { continue }
            changes += changeOfStatus(result, index, of: item, at: taken)
            // Findings about the connection alone are reported once, whatever the resolvers.
            guard let transport = subject.transport, told.insert(transport).inserted else { continue }
            guard let connection = seen.connections[transport] else { continue }
            changes += await changesOfConnection(connection, result, subject.subject.connection, of: item)
        }
        return changes
    }

    /// Leaves a check's server alone, through every stack, if it asks for that through one. Every other check goes on: behind the
    /// same endpoint may be the names of several tenants, and none of them may hide a change of another.
    private func hold(_ seen: WatchVisit.Seen, _ item: Int, at taken: ContinuousClock.Instant) {
        let waits = seen.connections.values.compactMap { connection in
            connection.evidence.report.http?.response.flatMap { RetryAfter.wait($0, at: clock.now) }
        }
        guard let check = items[item].check.check, let wait = waits.max() else { return }
        ProbeLog(.rateLimiter).debug("waiting \(wait), as \(check.target) asks")
        items[item].hold(until: taken + wait)
    }

    private func result(
        _ seen: WatchVisit.Seen, _ subject: WatchItem.Subject, of check: WatchedCheck
    ) -> ProbeResult? {
        let model = subject.resolver.flatMap { seen.models[$0] }
        switch check.work {
        case .target:
            return subject.transport.flatMap { seen.connections[$0] }.map { prober.judge($0, model) }
        case .list(let check, _):
            return prober.judge(check, subject: subject.subject.name, model)
        }
    }

    private func changeOfStatus(
        _ result: ProbeResult, _ index: Int, of item: Int, at taken: ContinuousClock.Instant
    ) -> [StatusChange] {
        let verdict = result.verdict
        let before = items[item].subjects[index].status
        let status = WatchStatus(verdict)
        let end = terminalFinding(verdict, items[item].check.model)
        items[item].reschedule(index, status, isTerminal: end != nil, at: taken, settings)
        // Nothing was learned; only a whole round of that is worth reporting, since the watch is blind then.
        if status.outcome == .localOverload, items[item].isDueInRound(index, settings) { return [] }
        items[item].subjects[index].status = status
        guard end != nil || status != before else { return [] }
        let isBack = before?.outcomeClass == .transient && status.outcomeClass == .pass
        return [
            change(
                end != nil ? .terminal : isBack ? .recovered : .status, items[item].subjects[index].subject, result,
                from: before?.outcome,
                finding: end ?? verdict.leadingFinding)
        ]
    }

    /// Returns the finding that ends the watch of a subject; nil if it goes on.
    private func terminalFinding(_ verdict: Verdict, _ model: ModelCheck?) -> Finding? {
        verdict.findings.first { finding in
            finding.outcome == .modelNotListed || finding.outcome == .modelAbsent && model?.absence == .terminal
        }
    }

    private func changesOfConnection(
        _ observed: ObservedConnection, _ result: ProbeResult, _ subject: WatchSubject, of item: Int
    ) async -> [StatusChange] {
        // As it was located: the servers may be others than at the beginning.
        let (check, connection) = (observed.check, observed.evidence)
        var changes: [StatusChange] = []
        let outcome = result.verdict.outcome
        // A connection that fails or shows nothing leaves the baseline unchanged (requirement 73).
        if observed.passes, let baseline = Baseline(connection, pins: check.pins) {
            let key = WatchSubject.baselineKey(check, connection)
            var earlier = items[item].baselines[key]
            if earlier == nil { earlier = await store.baseline(for: key) }
            if let drift = earlier.flatMap(baseline.drift) {
                let finding = Finding.warning(
                    "drift", stage: .pins, "\(drift), and still so on a second look",
                    fix: "if this was not planned, ask who changed the server")
                changes.append(change(.drift, subject, result, from: outcome, finding: finding))
            }
            if earlier != baseline {
                items[item].baselines[key] = baseline
                if earlier == nil {
                    await store.replaceBaseline(baseline, for: key)
                } else {
                    unsaved.append((key, baseline))
                }
            }
        }
        for notice in ExpiryNotice.all(connection, check, within: settings.warnBefore)
        where items[item].announced.insert(notice.id).inserted {
            changes.append(change(.expiring, subject, result, from: outcome, finding: notice.finding))
        }
        return changes
    }

    private func change(
        _ kind: StatusChange.Kind, _ subject: WatchSubject, _ result: ProbeResult, from: Outcome?, finding: Finding?
    ) -> StatusChange {
        let to = result.verdict.outcome
        ProbeLog(.watch).debug("\(public: subject): \(public: kind.rawValue), \(to)")
        return StatusChange(
            kind: kind, time: clock.now, subject: subject, from: from, to: to, finding: finding, result: result)
    }
}
