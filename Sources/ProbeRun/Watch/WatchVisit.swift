import ProbeKit

/// One visit to a watched check: its due subjects, and so the backends to ask, each once.
struct WatchVisit: Sendable {
    /// The results of a visit.
    struct Seen: Sendable {
        /// By the transport's position.
        var connections: [Int: ObservedConnection] = [:]
        /// By the resolver's position.
        var models: [Int: ModelEvidence] = [:]
    }

    private(set) var check: WatchedCheck
    let transports: [Int]
    let resolvers: [Int]
    /// The baseline of each connection when it was last good.
    let baselines: [String: Baseline]

    /// Probes the backends in parallel, except for the spacing that the limiter keeps.
    ///
    /// A connection that passes and has drifted is made once more, and only the second counts (requirement 74).
    func run(_ prober: Prober, _ limiter: RateLimiter, _ store: any BaselineStore) async -> Seen {
        async let models = observeModels(prober, limiter)
        var located = self
        if !transports.isEmpty { located.check = await check.located() }
        let connections = await Concurrently.map(transports) { [located] index in
            (index, await located.observe(through: check.transports[index], prober, limiter, store))
        }
        var seen = Seen()
        for case (let index, let connection?) in connections { seen.connections[index] = connection }
        for case (let index, let evidence?) in await models { seen.models[index] = evidence }
        return seen
    }

    private func observe(
        through transport: any Transport, _ prober: Prober, _ limiter: RateLimiter, _ store: any BaselineStore
    ) async -> ObservedConnection? {
        guard let check = check.check else { return nil }
        let first = await once(check, transport, prober, limiter)
        guard first.passes else { return first }
        let key = WatchSubject.baselineKey(check, first.evidence)
        var baseline = baselines[key]
        // A server that the target had not when the watch began.
        if baseline == nil { baseline = await store.baseline(for: key) }
        guard let baseline, let drift = Baseline(first.evidence, pins: check.pins)?.drift(from: baseline) else {
            return first
        }
        ProbeLog(.watch).debug("\(check.target) through \(transport.identity): \(public: drift); looking again")
        return await once(check, transport, prober, limiter)
    }

    private func once(
        _ check: Check, _ transport: any Transport, _ prober: Prober, _ limiter: RateLimiter
    ) async -> ObservedConnection {
        await limiter.turn(for: check.target.endpoint.host)
        return await prober.observed(check, through: transport, deadline: .after(check.timeout))
    }

    private func observeModels(_ prober: Prober, _ limiter: RateLimiter) async -> [(Int, ModelEvidence?)] {
        guard let model = check.model else { return [] }
        let timeout: Duration =
            switch check.work {
            case .target(let check): check.timeout
            case .list(_, let timeout): timeout
            }
        return await Concurrently.map(resolvers) { index in
            await limiter.turn(for: model.subject)
            return (
                index, await prober.observe(model, through: check.resolvers[index], deadline: .after(timeout))
            )
        }
    }
}
