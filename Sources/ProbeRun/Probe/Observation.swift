import ProbeKit
import ProbePins
import ProbePlatform
import ProbeTrust

/// Finds out what one transport shows of one target, whatever its alternates.
///
/// It is an object: a scan has thousands under way, and every function that waits would keep the whole check.
final class Observation: Sendable {
    let check: Check
    let transport: any Transport
    let deadline: Deadline
    let prober: Prober
    private let instant: Date
    let decision: ReferenceDecision
    private let memory: ConnectionMemory?
    /// Decides in place of the check whether the server may be asked for its time; nil leaves it to the check.
    let approval: ServerApproval?

    /// Not inlined, like all that follows with this mark: what comes before and after a wait is in functions of its own, so that
    /// a waiting handshake has the variables of the wait alone.
    ///
    /// - Parameter certificates: those of the probe, which all transports are shown.
    @inline(never) init(
        _ check: Check, through transport: any Transport, by prober: Prober, deadline: Deadline,
        certificates: ReadCertificates, approval: ServerApproval? = nil
    ) {
        self.approval = approval
        self.check = check
        self.transport = transport
        self.deadline = deadline
        self.prober = prober
        let instant = prober.clock.now
        self.instant = instant
        decision = ReferenceDecision(
            of: prober.reference, furtherPaths: check.asksForPaths ? FurtherPaths.limit : 0,
            mailHost: check.mailHost, certificates: certificates)
        memory = prober.pins.flatMap { ConnectionMemory($0, of: check, through: transport.identity, at: instant) }
    }

    /// Makes the handshake, and returns the facts.
    ///
    /// - Parameter attempts: those up to this one, if it is one of several.
    func connection(attempts: [ConnectionAttempt] = []) async -> ObservedConnection {
        let request = connectionRequest(attempts)
        let missing = request.requiredCapabilities.subtracting(transport.capabilities)
        return missing.isEmpty && check.route.absence == nil
            ? await connected(request, attempts) : await unconnected(missing, attempts)
    }

    /// Returns what is found about a connection that is not made.
    @inline(never) private func unconnected(
        _ missing: Set<TransportCapability>, _ attempts: [ConnectionAttempt]
    ) async -> ObservedConnection {
        var report = HandshakeReport()
        if missing.isEmpty { report.failure = check.route.absence }
        return await read(report, missing: missing, attempts: attempts)
    }

    /// Returns the request for a connection over which the server may be asked for its time.
    @inline(never) private func connectionRequest(_ attempts: [ConnectionAttempt]) -> HandshakeRequest {
        guard asksServer else { return request() }
        return request(
            exchange: HTTPExchange(with: check.target) { [self] in await mayAskServer($0, attempts) })
    }

    /// True if the server may have to be asked for its time, and can be.
    private var asksServer: Bool {
        check.mayAskServer(at: instant) && (check.serverDate == .always || canAskServer)
    }

    private var canAskServer: Bool { transport.capabilities.contains(.httpHead) }

    private func request(exchange: HTTPExchange? = nil) -> HandshakeRequest {
        var request = HandshakeRequest(
            endpoint: check.target.endpoint, serverName: check.nameInHello,
            versions: min(check.minimumTLS, .tls12) ... .tls13,
            alpn: exchange != nil && check.alpn.isEmpty ? HTTPExchange.alpn : check.alpn, anchors: check.anchors,
            instant: instant, deadline: deadline, exchange: exchange, startTLS: check.target.startTLS,
            clientIdentity: check.clientIdentity, offer: check.offer, route: check.route)
        request.isAtOwnAddress = check.target.isAtOwnAddress
        request.nameBeforeTLS = check.target.name
        return request
    }

    /// Runs the handshake, and returns what is found about it. A server that this process had no time to hear is not blamed.
    @inline(never) private func connected(
        _ request: HandshakeRequest, _ attempts: [ConnectionAttempt]
    ) async -> ObservedConnection {
        let (allowed, start) = (deadline.remaining, prober.lateness?.begin())
        var report = await transport.handshake(request)
        attribute(&report, since: start, of: allowed)
        return await read(report, missing: [], attempts: attempts)
    }

    @inline(never) private func attribute(
        _ report: inout HandshakeReport, since start: [Duration]?, of allowed: Duration
    ) {
        let lost = start.flatMap { prober.lateness?.end($0) }
        if let lost { report.failure = report.failure?.attributed(lost: lost, of: allowed) }
    }

    /// Returns false if the connection fails by what is known already (requirement 108): such a server is sent nothing.
    /// Also false if its time would only decide what is already decided.
    private func mayAskServer(_ report: HandshakeReport, _ attempts: [ConnectionAttempt]) async -> Bool {
        guard await recall(report) == nil else { return false }
        var facts = await evidence(report)
        facts.attempts = attempts
        if let approval { return await approval(facts) }
        return check.asksServer(after: check.findings(about: facts))
    }

    /// Returns what is found about a report.
    @inline(never) private func read(
        _ report: HandshakeReport, missing: Set<TransportCapability>, attempts: [ConnectionAttempt]
    ) async -> ObservedConnection {
        // Read before anything else takes time, by which the server's clock would seem late.
        let serverTime = serverTime(report)
        let remembered = await recall(report)
        let confirmation = remembered == nil ? await confirmation(report) : nil
        var facts = await evidence(
            report, missing: missing, keyConfirmation: confirmation, serverTime: serverTime, remembered: remembered)
        facts.attempts = attempts
        let connection = ObservedConnection(check, facts)
        await memory?.keep(connection)
        return connection
    }

    /// Returns the time at which the check last passed with the chain of a handshake; nil if the server's time is
    /// always asked for.
    private func recall(_ report: HandshakeReport) async -> Date? {
        check.serverDate == .always ? nil : await memory?.success(with: report)
    }

    /// Returns what is known of the server's time; nil if nobody asked for it.
    private func serverTime(_ report: HandshakeReport) -> ServerTime? {
        if report.isSupplied { return .known(instant, skew: 0) }
        if let response = report.http { return ServerTime(response, at: prober.clock.now) }
        guard check.serverDate == .always || check.hasOpenWindow(at: instant) else { return nil }
        if let known = check.target.startTLS { return .notOffered("\(known.rawValue) has no Date") }
        guard check.serverDate == .whenItDecides, !canAskServer else { return nil }
        return .notOffered("\(transport.identity.name) can't ask a server for it")
    }

    /// Returns the result of the library's own pin check of the leaf's key, if pins on that key are to be compared and
    /// it has such a check.
    private func confirmation(_ report: HandshakeReport) async -> KeyConfirmation? {
        guard report.failure == nil, let leaf = report.chain.first, let transport = transport as? any KeyConfirming,
            check.pins.contains(where: { $0.position.includes(index: 0) && $0.index.spki != nil })
        else { return nil }
        return await transport.confirmKey(ofLeaf: leaf, request())
    }

    /// Returns a report with the common readings of the same bytes beside it.
    private func evidence(
        _ report: HandshakeReport, missing: Set<TransportCapability> = [], keyConfirmation: KeyConfirmation? = nil,
        serverTime: ServerTime? = nil, remembered: Date? = nil
    ) async -> ConnectionEvidence {
        let isJudged = !report.chain.isEmpty && check.judgesTrust
        let question = question(about: report)
        let reading = isJudged ? await decision.answer(question) : nil
        // A staple that nobody asked for is not judged.
        let trust = question.staple == .notAsked ? reading?.trust : reading?.trust.judgingRevocation
        let further = reading?.further ?? .none
        let stores = reading?.stores ?? []
        let paths =
            [shown(report), trust?.path].compactMap(\.self) + further.paths + stores.compactMap(\.trust.path)
        var evidence = ConnectionEvidence(
            transport: transport.identity, report: report, missing: missing,
            certificates: await certificates(report, paths: paths), keyConfirmation: keyConfirmation,
            referenceTrust: trust, further: further, anchors: check.anchors, instant: instant, serverTime: serverTime,
            remembered: remembered)
        evidence.stores = stores
        evidence.isInstantChosen = prober.clock.isFixed
        return evidence
    }

    /// Returns the path that the stack shows, unless it has a certificate from elsewhere.
    private func shown(_ report: HandshakeReport) -> [[UInt8]]? {
        report.nativeTrust?.path.flatMap { path in
            path.allSatisfy { report.chain.contains($0) || check.anchors.certificates.contains($0) } ? path : nil
        }
    }

    private func question(about report: HandshakeReport) -> TrustQuestion {
        let showsStaples = transport.capabilities.contains(.ocspStaple)
        return request().trustQuestion(
            about: report.chain,
            staple: showsStaples ? report.ocspStaple.map { .present($0) } ?? .absent : .notAsked)
    }

    /// Returns the presented certificates, then those of valid paths that the server did not send.
    private func certificates(_ report: HandshakeReport, paths: [[[UInt8]]]) async -> [CertificateEvidence] {
        let (memory, known) = (prober.memory, decision.certificates)
        var evidence = memory.presented(
            report, through: transport.identity, digester: transport.digester ?? SwiftCryptoDigester(),
            certificates: known)
        // One end for all of them. A handshake that took the whole time says nothing against a stack that reads keys quickly.
        let end = max(deadline, .after(Self.keyPatience))
        for der in paths.joined() where !evidence.contains(where: { $0.der == der }) {
            evidence.append(await memory.anchor(der, through: transport, certificates: known, by: end))
        }
        return evidence
    }

    /// The time for the keys of anchors where the handshake left less: a program may have others to answer first.
    private static let keyPatience = Duration.seconds(10)
}
