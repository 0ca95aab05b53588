import ProbeDNS
public import ProbeKit
import ProbePins
import ProbePlatform
public import ProbeTrust

/// Probes one target end to end: asks the backends for facts, adds the common parses, and judges.
///
/// Its only state is the memory of parsed certificates and the given caches of successes; it may be used from many tasks at
/// once.
public struct Prober: Sendable {
    let clock: ProbeClock
    let reference: ReferenceVerifier
    private let memory = CertificateMemory()
    private let models: ModelMemory?
    private let pins: (any SuccessCache)?
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
        // Stacks are shown the same certificates.
        let certificates = reference.certificates()
        return await Concurrently.map(transports) {
            await observed(check, through: $0, deadline: deadline, certificates: certificates)
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
    func judge(_ check: ModelCheck, subject: String, _ model: ModelEvidence?) -> ProbeResult {
        let evidence = Evidence(connection: nil, model: model)
        let verdict = Verdict(ModelListed(check).judge(evidence, at: clock.now))
        if let model { ProbeLog(.model).debug("\(public: subject) through \(model.resolver): \(verdict.outcome)") }
        return ProbeResult(subject: subject, evidence: evidence, verdict: verdict)
    }

    /// Returns the facts of one target as one transport shows them, whatever its alternates.
    ///
    /// - Parameter attempts: those up to this one, if it is one of several.
    func observeAlone(
        _ check: Check, through transport: any Transport, deadline: Deadline, certificates: ReadCertificates,
        attempts: [ConnectionAttempt] = []
    ) async -> ObservedConnection {
        let instant = clock.now
        let decision = ReferenceDecision(
            of: reference, furtherPaths: check.asksForPaths ? FurtherPaths.limit : 0,
            mailHost: check.mailHost, certificates: certificates)
        let memory = pins.flatMap { ConnectionMemory($0, of: check, through: transport.identity, at: instant) }
        let asksServer =
            check.mayAskServer(at: instant)
            && (check.serverDate == .always || transport.capabilities.contains(.httpHead))
        let exchange = HTTPExchange(with: check.target) { report in
            guard await recall(check, report, from: memory) == nil else { return false }
            return mayAskServer(
                check, await evidence(check, report, decision, through: transport, deadline: deadline, at: instant))
        }
        let request = request(check, deadline: deadline, at: instant, exchange: asksServer ? exchange : nil)
        let missing = request.requiredCapabilities.subtracting(transport.capabilities)
        let report = missing.isEmpty ? await handshake(request, through: transport) : HandshakeReport()
        return await read(
            report, check, decision, memory, through: transport, deadline: deadline, at: instant, missing: missing,
            attempts: attempts)
    }

    /// Returns what is found about a report.
    @inline(never) private func read(
        _ report: HandshakeReport, _ check: Check, _ decision: ReferenceDecision, _ memory: ConnectionMemory?,
        through transport: any Transport, deadline: Deadline, at instant: Date, missing: Set<TransportCapability>,
        attempts: [ConnectionAttempt]
    ) async -> ObservedConnection {
        let serverTime =
            report.isSupplied
            ? .known(instant, skew: 0) : report.http.map { ServerTime($0, at: clock.now) } ?? Self.withoutHTTP(check)
        let remembered = await recall(check, report, from: memory)
        let confirmation =
            remembered == nil
            ? await confirmation(
                check, report, request(check, deadline: deadline, at: instant), through: transport) : nil
        var facts = await evidence(
            check, report, decision, through: transport, deadline: deadline, at: instant, missing: missing,
            keyConfirmation: confirmation, serverTime: serverTime, remembered: remembered)
        facts.attempts = attempts
        let connection = ObservedConnection(check, facts)
        await memory?.keep(connection)
        return connection
    }

    /// Runs the handshake. A server that this process had no time to hear is not blamed.
    private func handshake(
        _ request: HandshakeRequest, through transport: any Transport
    ) async -> HandshakeReport {
        if case .absent(let failure) = request.route { return HandshakeReport(failure: failure) }
        guard let lateness else { return await transport.handshake(request) }
        let allowed = request.deadline.remaining
        var (report, lost) = await lateness.measure { await transport.handshake(request) }
        report.failure = report.failure?.attributed(lost: lost, of: allowed)
        return report
    }

    /// Returns the time at which the check last passed with the chain of a handshake; nil if the server's time is
    /// always asked for.
    private func recall(_ check: Check, _ report: HandshakeReport, from memory: ConnectionMemory?) async -> Date? {
        check.serverDate == .always ? nil : await memory?.success(with: report)
    }

    private func request(
        _ check: Check, deadline: Deadline, at instant: Date, exchange: HTTPExchange? = nil
    ) -> HandshakeRequest {
        HandshakeRequest(
            endpoint: check.target.endpoint, serverName: check.target.name,
            versions: min(check.minimumTLS, .tls12) ... .tls13,
            alpn: exchange != nil && check.alpn.isEmpty ? HTTPExchange.alpn : check.alpn, anchors: check.anchors,
            instant: instant, deadline: deadline, exchange: exchange, startTLS: check.target.startTLS,
            clientIdentity: check.clientIdentity, offer: check.offer, route: check.route)
    }

    /// The time of a server that is always asked for it and speaks no HTTP.
    private static func withoutHTTP(_ check: Check) -> ServerTime? {
        guard check.serverDate == .always, let known = check.target.startTLS else { return nil }
        return .unknown("\(known.rawValue) has no Date")
    }

    /// Returns false if the connection fails by what is known already (requirement 108): such a server is sent nothing.
    /// Also false if its time would only decide what is already decided.
    private func mayAskServer(_ check: Check, _ evidence: ConnectionEvidence) -> Bool {
        let findings = check.findings(about: evidence)
        return findings.allSatisfy { $0.severity != .error || $0.code == PinsMatch.awaitsServerTime }
            && (check.serverDate == .always || findings.contains { $0.code == PinsMatch.awaitsServerTime })
    }

    /// Returns a report with the common readings of the same bytes beside it.
    private func evidence(
        _ check: Check, _ report: HandshakeReport, _ decision: ReferenceDecision, through transport: any Transport,
        deadline: Deadline, at instant: Date, missing: Set<TransportCapability> = [],
        keyConfirmation: KeyConfirmation? = nil,
        serverTime: ServerTime? = nil, remembered: Date? = nil
    ) async -> ConnectionEvidence {
        let request = request(check, deadline: deadline, at: instant)
        let staple: TrustQuestion.Staple =
            transport.capabilities.contains(.ocspStaple) ? report.ocspStaple.map { .present($0) } ?? .absent : .notAsked
        let reading =
            report.chain.isEmpty
            ? nil : await decision.answer(request.trustQuestion(about: report.chain, staple: staple))
        let (trust, further) = (reading?.trust.judgingRevocation, reading?.further ?? .none)
        let stores = reading?.stores ?? []
        let paths =
            [report.nativeTrust?.path, trust?.path].compactMap(\.self) + further.paths + stores.compactMap(\.trust.path)
        var evidence = ConnectionEvidence(
            transport: transport.identity, report: report, missing: missing,
            certificates: await certificates(report, decision.certificates, paths: paths, transport: transport),
            keyConfirmation: keyConfirmation, referenceTrust: trust, further: further, anchors: check.anchors,
            instant: instant, serverTime: serverTime, remembered: remembered)
        evidence.stores = stores
        return evidence
    }

    /// Returns the result of the library's own pin check of the leaf's key, if pins on that key are to be compared and
    /// it has such a check.
    private func confirmation(
        _ check: Check, _ report: HandshakeReport, _ request: HandshakeRequest, through transport: any Transport
    ) async -> KeyConfirmation? {
        guard report.failure == nil, let leaf = report.chain.first, let transport = transport as? any KeyConfirming,
            check.pins.contains(where: { $0.position.includes(index: 0) && $0.index.spki != nil })
        else { return nil }
        return await transport.confirmKey(ofLeaf: leaf, request)
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
        guard model == nil || check.demands.isEmpty else { return judge(check, evidence) }
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

    /// Returns the presented certificates, then those of valid paths that the server did not send.
    private func certificates(
        _ report: HandshakeReport, _ known: ReadCertificates, paths: [[[UInt8]]], transport: any Transport
    ) async -> [CertificateEvidence] {
        var evidence = memory.presented(
            report, through: transport.identity, digester: transport.digester ?? SwiftCryptoDigester(),
            certificates: known)
        for der in paths.joined() where !evidence.contains(where: { $0.der == der }) {
            evidence.append(await memory.anchor(der, through: transport, certificates: known))
        }
        return evidence
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
