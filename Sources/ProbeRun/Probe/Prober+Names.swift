import ProbeDNS
public import ProbeKit

extension Prober {
    /// Probes the allow-lists of many names through one resolver, and judges each by itself. Nothing is remembered.
    ///
    /// - Parameters:
    ///   - check: the question, whatever its names.
    ///   - timeout: the time for each name; it begins at once for all of them.
    /// - Returns: a result for each name, in their order; if the resolver reports on more or fewer of them, each is its
    ///   fault, since nobody knows which report is whose.
    public func probe(
        _ check: ModelCheck, names: [DNSName], through resolver: any Resolver, timeout: Duration
    ) async -> [ProbeResult] {
        let deadline = Deadline.after(timeout)
        let instant = clock.now
        let queries = names.map {
            check.query(for: $0, through: resolver.capabilities, at: instant, deadline: deadline)
        }
        let needed = queries.first?.requiredCapabilities ?? []
        if let results = unsupported(check, names, needed, resolver) { return results }
        let (found, lost) = await measured { await resolver.resolve(queries, atOnce: queries.count) }
        // A program that failed its first hello may have reported its capabilities only now.
        if let results = unsupported(check, names, needed, resolver) { return results }
        let reports =
            found.count == names.count
            ? found
            : Array(
                repeating: DNSReport.miscounted(found.count, of: names.count, by: resolver.name), count: names.count)
        return zip(names, reports).map { name, report in
            let answer = ModelEvidence.Answer(
                host: name, report: report, reading: check.reading(of: report, name: name),
                duration: report.attempts.map(\.duration).reduce(.zero, +))
            let evidence = ModelEvidence(
                resolver: resolver.identity, model: check.model, answers: [answer], missing: [])
            return judge(check, subject: name.description, evidence.attributed(lost: lost, of: timeout))
        }
    }

    /// Returns the results for a resolver that lacks what the queries need; nil if it does not.
    private func unsupported(
        _ check: ModelCheck, _ names: [DNSName], _ needed: Set<ResolverCapability>, _ resolver: any Resolver
    ) -> [ProbeResult]? {
        let missing = needed.subtracting(resolver.capabilities)
        guard !missing.isEmpty else { return nil }
        return names.map {
            judge(
                check, subject: $0.description,
                ModelEvidence(resolver: resolver.identity, model: check.model, answers: [], missing: missing))
        }
    }

    /// Returns what the work returns, and how much of its time this process lost.
    private func measured<Value: Sendable>(
        _ work: @Sendable () async -> Value
    ) async -> (value: Value, lost: Duration) {
        guard let lateness else { return (await work(), .zero) }
        return await lateness.measure(work)
    }
}

extension DNSReport {
    /// Returns the report on a name by a resolver that did not report once on each.
    fileprivate static func miscounted(_ found: Int, of count: Int, by resolver: String) -> DNSReport {
        DNSReport(attempts: [
            .unsent(
                to: resolver, over: .udp, ednsSize: nil,
                failure: DNSFailure(.backendError, "it reported on \(found) of \(count.counted("name"))"),
                duration: .zero)
        ])
    }
}
