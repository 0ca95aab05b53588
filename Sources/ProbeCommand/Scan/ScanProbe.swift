import ProbeKit
import ProbeNet

/// Probes one target of a scan: finds its addresses where they matter, waits for its turn, asks the backends.
struct ScanProbe: Sendable {
    let prober: Prober
    let transports: [any Transport]
    let resolvers: [any Resolver]
    let lookup: HostLookup
    /// Keeps a distance between targets at one address; nil keeps none.
    let limiter: RateLimiter?
    /// Whether every address of a name is probed, and not the first that answers.
    let allAddresses: Bool
    /// The check of a target, and how long it may take.
    let check: @Sendable (ScanTarget, _ dialling: Endpoint?, _ timeout: Duration?) -> Check

    /// How many addresses of one name are probed at once.
    static let addressesAtOnce = 8

    /// The lines of a target's results, and what they came to.
    func lines(of target: ScanTarget) async -> (texts: [String], outcomes: [Outcome]) {
        let results = await results(of: target)
        return Self.lines(results, id: target.id.hex)
    }

    private static func lines(
        _ results: [(dialled: Endpoint?, result: ProbeResult)], id: String
    ) -> (texts: [String], outcomes: [Outcome]) {
        let texts = results.enumerated().map { index, found in
            JSONText.line(
                ScanLine(
                    report: ReportLine(found.result),
                    place: ScanLine.Place(
                        id: id, dialled: found.dialled?.description, result: index + 1, results: results.count)))
        }
        return (texts, results.map(\.result.verdict.outcome))
    }

    private func results(of target: ScanTarget) async -> [(dialled: Endpoint?, result: ProbeResult)] {
        let whole = check(target, nil, nil)
        guard case .dns(let name) = whole.target.endpoint.host, allAddresses || limiter != nil else {
            await limiter?.turn(for: whole.target.endpoint.host)
            return await probe(whole)
        }
        return await results(of: target, whole, name)
    }

    /// The results of a target whose addresses are to be known before it is probed.
    private func results(
        of target: ScanTarget, _ whole: Check, _ name: String
    ) async -> [(dialled: Endpoint?, result: ProbeResult)] {
        let endpoint = whole.target.endpoint
        // The lookup is part of the target's time; waiting for one's turn is not.
        let deadline = Deadline.after(whole.timeout)
        let addresses = (try? await lookup.addresses(of: name, by: deadline).get()) ?? []
        let left = deadline.remaining
        guard allAddresses, !addresses.isEmpty else {
            // A name without addresses is the transports' to report.
            await limiter?.turn(for: addresses.first.map(ServerName.ip) ?? endpoint.host)
            return await probe(check(target, nil, left))
        }
        let found = await Concurrently.map(addresses, atMost: Self.addressesAtOnce) { address in
            let began = ContinuousClock.now
            await limiter?.turn(for: .ip(address))
            let waited = began.duration(to: .now)
            let remaining = limiter == nil ? deadline.remaining : min(left, deadline.remaining + waited)
            return await probe(check(target, Endpoint(host: .ip(address), port: endpoint.port), remaining))
        }
        return found.flatMap(\.self)
    }

    private func probe(_ check: Check) async -> [(dialled: Endpoint?, result: ProbeResult)] {
        let results = await prober.probe(check, through: transports, resolvers: resolvers)
        return results.map { (check.target.connect, $0) }
    }
}
