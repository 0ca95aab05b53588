import ProbeDNS
public import ProbeKit
import ProbePlatform
public import ProbeTrust

/// Probes one target end to end: asks the backends for facts, adds the common parses, and judges.
///
/// Its only state is the memory of parsed certificates and the given caches of successes; it may be used from many tasks at
/// once.
public struct Prober: Sendable {
    let clock: ProbeClock
    let reference: ReferenceVerifier
    let memory = CertificateMemory()
    private let models: ModelMemory?
    let pins: (any SuccessCache)?
    /// Measures what this process loses of a server's time; nil if that is not known.
    let lateness: (any LatenessMeter)?
    /// Spaces the attempts at one host; nil does not limit them.
    let limiter: RateLimiter?

    /// Creates a prober that reads the time from `clock`. Without caches every probe repeats every request.
    ///
    /// - Parameters:
    ///   - limiter: spaces attempts at alternates; a caller that probes repeatedly passes its own.
    ///   - modelCache: remembers listed models: they are not queried again for the lifetime in the check, and
    ///     overlapping calls query once.
    ///   - pinCache: remembers connections that passed, for a watch: the next handshake is still made and judged, but
    ///     the server's time and the library's own pin check are not requested again. A single check that gates a
    ///     release has none (decided: cache-keys).
    ///   - lateness: measures how late this process is itself, so that no server is blamed for it.
    public init(
        clock: ProbeClock = .system, reference: ReferenceVerifier = ReferenceVerifier(), limiter: RateLimiter? = nil,
        modelCache: (any SuccessCache)? = nil, pinCache: (any SuccessCache)? = nil, lateness: (any LatenessMeter)? = nil
    ) {
        self.lateness = lateness
        self.clock = clock
        self.reference = reference
        self.limiter = limiter
        models = modelCache.map { ModelMemory($0, clock: clock) }
        pins = pinCache
    }

    /// Probes one target end to end, and judges each pair of a transport and a resolver. Every backend is asked once,
    /// all of them at the same time.
    ///
    /// - Returns: the results in the order of the transports, within that of the resolvers; without a model check the
    ///   resolvers are not asked, and there is one result for each transport.
    public func probe(
        _ check: Check, through transports: [any Transport], resolvers: [any Resolver]
    ) async -> [ProbeResult] {
        let deadline = Deadline.after(check.timeout)
        guard let model = check.model, !resolvers.isEmpty else {
            return judge(await connections(check, through: transports, deadline: deadline), [nil])
        }
        return await probe(check, model, through: transports, resolvers: resolvers, deadline: deadline)
    }

    // Not inlined, like all that follows with this mark: the variables of what is not under way would be part of the memory of
    // every waiting probe, of which a scan has thousands.

    @inline(never) private func probe(
        _ check: Check, _ model: ModelCheck, through transports: [any Transport], resolvers: [any Resolver],
        deadline: Deadline
    ) async -> [ProbeResult] {
        async let lists = Concurrently.map(resolvers) { resolver in
            await observe(model, through: resolver, deadline: deadline)
        }
        let connections = await connections(check, through: transports, deadline: deadline)
        return judge(connections, await lists)
    }

    @inline(never) private func connections(
        _ check: Check, through transports: [any Transport], deadline: Deadline
    ) async -> [ObservedConnection] {
        await Concurrently.map(observations(of: check, through: transports, deadline: deadline)) { await $0.answered() }
    }

    @inline(never) private func observations(
        of check: Check, through transports: [any Transport], deadline: Deadline
    ) -> [Observation] {
        // Stacks are shown the same certificates.
        let certificates = reference.certificates()
        return transports.map {
            Observation(check, through: $0, by: self, deadline: deadline, certificates: certificates)
        }
    }

    @inline(never) private func judge(
        _ connections: [ObservedConnection], _ models: [ModelEvidence?]
    ) -> [ProbeResult] {
        connections.flatMap { connection in models.map { judge(connection, $0) } }
    }

    /// Probes an allow-list alone, and judges it for each resolver; all are asked at the same time.
    public func probe(
        _ check: ModelCheck, subject: String, through resolvers: [any Resolver], timeout: Duration
    ) async -> [ProbeResult] {
        let deadline = Deadline.after(timeout)
        return await Concurrently.map(resolvers) { resolver in
            judge(check, subject: subject, await observe(check, through: resolver, deadline: deadline))
        }
    }

    /// Returns the result of judging an allow-list's evidence alone.
    ///
    /// - Parameter asksNameServer: true if the answer is that of one of the zone's own name servers.
    func judge(
        _ check: ModelCheck, subject: String, _ model: ModelEvidence?, asksNameServer: Bool = false
    ) -> ProbeResult {
        let evidence = Evidence(connection: nil, model: model)
        let policy = ModelListed(check, asksNameServer: asksNameServer)
        let verdict = Verdict(policy.judge(evidence, at: clock.now))
        if let model { ProbeLog(.model).debug("\(public: subject) through \(model.resolver): \(verdict.outcome)") }
        return ProbeResult(subject: subject, evidence: evidence, verdict: verdict)
    }

    /// Returns the facts of one target as one transport shows them; if it does not answer, those of the first alternate
    /// that does, else of the last one.
    public func observe(
        _ check: Check, through transport: any Transport, deadline: Deadline
    ) async -> ConnectionEvidence {
        await observed(check, through: transport, deadline: deadline).evidence
    }

    /// Returns the facts likewise, for others than the check's own client: they decide whether the server is asked for its time.
    package func observe(
        _ check: Check, through transport: any Transport, deadline: Deadline, approval: @escaping ServerApproval
    ) async -> ConnectionEvidence {
        await Observation(
            check, through: transport, by: self, deadline: deadline, certificates: reference.certificates(),
            approval: approval
        ).answered().evidence
    }

    /// Returns the same with the findings about it.
    func observed(_ check: Check, through transport: any Transport, deadline: Deadline) async -> ObservedConnection {
        await Observation(
            check, through: transport, by: self, deadline: deadline, certificates: reference.certificates()
        ).answered()
    }

    /// Returns the facts of a model check as one resolver shows them; nil if there is nothing to check.
    public func observe(_ check: ModelCheck?, through resolver: (any Resolver)?, deadline: Deadline) async
        -> ModelEvidence?
    {
        guard let check, let resolver else { return nil }
        guard let lateness else { return await ask(check, through: resolver, deadline: deadline) }
        let allowed = deadline.remaining
        let (evidence, lost) = await lateness.measure { await ask(check, through: resolver, deadline: deadline) }
        return evidence.attributed(lost: lost, of: allowed)
    }

    private func ask(
        _ check: ModelCheck, through resolver: any Resolver, deadline: Deadline
    ) async -> ModelEvidence {
        guard let models else {
            return await ModelWalk(clock: clock).evidence(check, through: resolver, deadline: deadline)
        }
        return await models.evidence(check, through: resolver, deadline: deadline)
    }

    /// Returns the result of judging the evidence.
    public func judge(_ check: Check, _ evidence: Evidence) -> ProbeResult {
        if evidence.connection != nil { WorkCounter.note(.connectionVerdict) }
        let instant = evidence.connection?.instant ?? clock.now
        return result(check, evidence, check.policy.judge(evidence, at: instant))
    }

    /// Returns the result of judging a connection, about which the findings may be known, and an allow-list.
    func judge(_ connection: ObservedConnection, _ model: ModelEvidence?) -> ProbeResult {
        let check = connection.check
        let evidence = Evidence(connection: connection.evidence, model: model)
        // A policy of the caller's may look at both sides.
        guard model == nil || check.demands.isEmpty else {
            return result(check, evidence, connection.findings(with: model))
        }
        let list = check.model.map { ModelListed($0).judge(evidence, at: connection.evidence.instant) } ?? []
        return result(check, evidence, connection.findings + list)
    }

    private func result(_ check: Check, _ evidence: Evidence, _ findings: [Finding]) -> ProbeResult {
        let verdict = Verdict(findings)
        if let connection = evidence.connection {
            ProbeLog(.pinning).debug("\(check.target) through \(connection.transport): \(verdict.outcome)")
        }
        return ProbeResult(
            subject: check.named.description, service: check.service, trust: check.trust, evidence: evidence,
            verdict: verdict
        ).about(check)
    }
}

extension Prober {
    /// Judges certificates that a server may present one day, without a connection: trust by each transport's stack and
    /// by the reference verifier, pins, policies and expiry. DNS is not queried.
    ///
    /// - Parameters:
    ///   - check: the target's check; its alternates and server requests are ignored.
    ///   - chain: DER, the leaf first.
    /// - Returns: a result for each transport, in their order.
    public func probe(
        _ check: Check, supplied chain: [[UInt8]], through transports: [any Transport]
    ) async -> [ProbeResult] {
        let stacks: [any Transport] = transports.map { SuppliedChainTransport(chain, judgedBy: $0) }
        return await probe(check.withoutConnection, through: stacks, resolvers: [])
    }
}
