public import ProbeKit
import ProbePins
import ProbePlatform
public import ProbeRun
public import ProbeTrust

/// One run of clients against targets: a connection for each ClientHello that any of them sends, and a verdict of each.
public actor ClientRun {
    private let prober: Prober
    private let reference: ReferenceVerifier
    private let transports: [any Transport]
    private let clock: ProbeClock
    private let policies: [String: any Policy]
    private let roots: ClientRoots
    private var keys: [[UInt8]: KeyReading] = [:]

    /// Creates a run.
    ///
    /// - Parameters:
    ///   - transports: asked in this order, until one can send a client's offer.
    ///   - policies: the policies that a client's platform may have, by name.
    ///   - roots: the clients' roots, which runs at other instants may share.
    public init(
        prober: Prober, reference: ReferenceVerifier, transports: [any Transport], clock: ProbeClock,
        policies: [String: any Policy] = NamedPolicies.all, roots: ClientRoots = ClientRoots()
    ) {
        self.prober = prober
        self.reference = reference
        self.transports = transports
        self.clock = clock
        self.policies = policies
        self.roots = roots
    }

    /// The properties of a client that decide its ClientHello.
    private struct Hello: Hashable {
        let offer: ClientOffer?
        let sendsName: Bool
        /// The program that is the client; nil lets any stack send the offer.
        var program: String?
        /// The oldest version that the program offers; nil leaves the usual one.
        var oldest: TLSVersion?
    }

    /// A client with its roots.
    private struct Trusting {
        let client: Client
        let anchors: TrustAnchors
    }

    /// One of the servers that a check leads to.
    private struct Server: Equatable {
        let target: Target?
        let address: String?
    }

    /// A connection, or the certificates in place of one.
    private struct Seen {
        let evidence: ConnectionEvidence
        /// The stack that sent the offer; nil without a connection.
        let sender: String?
        /// True if that stack asked for a stapled OCSP response.
        var asksStaple = false

        /// The server that it was, by the target that led to it and its address; behind a proxy there is none.
        var server: Server {
            Server(target: evidence.attempts.last?.target, address: evidence.report.peerAddress)
        }
    }

    /// Judges a target as each client would.
    ///
    /// - Parameters:
    ///   - check: the target and what an app asks of it; its anchors and its offer are each client's.
    ///   - chain: judged in place of a connection, DER with the leaf first; nil connects.
    /// - Returns: the results in the clients' order.
    /// - Throws: ``InputError`` if a client's roots can't be read.
    public func results(
        _ check: Check, clients: [Client], chain: [[UInt8]]? = nil
    ) async throws(InputError) -> [ClientResult] {
        let instant = clock.now
        var trusting: [Trusting] = []
        for client in clients {
            trusting.append(Trusting(client: client, anchors: try await roots.anchors(of: client, at: instant)))
        }
        // Stores are parsed one after the other, and only the last ones are kept.
        trusting.sort { $0.anchors.name < $1.anchors.name }
        let seen = await observations(check, trusting, chain, at: instant)
        var judged: [String: ClientResult] = [:]
        for one in trusting {
            guard let connection = seen[hello(one.client, connects: chain == nil)] else { continue }
            judged[one.client.name] = await judge(check, one, connection, others: Array(seen.values), at: instant)
        }
        return clients.compactMap { judged[$0.name] }
    }

    private func hello(_ client: Client, connects: Bool) -> Hello {
        guard connects else { return Hello(offer: nil, sendsName: true) }
        if let program = program(of: client) {
            return Hello(
                offer: nil, sendsName: client.sendsName, program: program.name,
                oldest: client.offer.versionRange?.lowerBound)
        }
        return Hello(offer: ReducedOffer(client.offer).offer, sendsName: client.sendsName)
    }

    /// Returns the client itself, if it is among the stacks.
    private func program(of client: Client) -> (any Transport)? {
        guard let name = client.program else { return nil }
        return transports.first { $0.name == name && $0.capabilities.contains(.trustEvaluation) }
    }

    // MARK: Facts

    /// The most connections to one server at a time.
    private static let atOnce = 8

    /// Returns what is seen with each ClientHello that any of the clients sends.
    private func observations(
        _ check: Check, _ clients: [Trusting], _ chain: [[UInt8]]?, at instant: Date
    ) async -> [Hello: Seen] {
        let senders = Dictionary(grouping: clients) { hello($0.client, connects: chain == nil) }
        let hellos = Array(senders.keys)
        // The time is the target's, however many ClientHellos it gets.
        let deadline = Deadline.after(check.timeout)
        let answers = await Concurrently.map(hellos, atMost: Self.atOnce) {
            await self.observe(check, $0, of: senders[$0] ?? [], chain, by: deadline, at: instant)
        }
        var seen: [Hello: Seen] = [:]
        for (hello, answer) in zip(hellos, answers) { seen[hello] = answer }
        return seen
    }

    private func observe(
        _ check: Check, _ hello: Hello, of clients: [Trusting], _ chain: [[UInt8]]?, by deadline: Deadline,
        at instant: Date
    ) async -> Seen? {
        let bare = check.made(withAnchors: .none, offer: hello.offer, minimumTLS: hello.oldest)
        if let chain, let first = transports.first {
            let result = await prober.probe(bare, supplied: chain, through: [first]).first
            return result?.evidence.connection.map { Seen(evidence: $0, sender: nil) }
        }
        var last: Seen?
        let asked = hello.sendsName ? bare : bare.withoutServerName
        for transport in transports where hello.program.map({ $0 == transport.name }) ?? true {
            let evidence = await prober.observe(asked, through: transport, deadline: deadline) { [self] evidence in
                let seen = Seen(
                    evidence: evidence, sender: transport.name,
                    asksStaple: transport.capabilities.contains(.ocspStaple))
                return await asksServer(check, clients, seen, at: instant)
            }
            let seen = Seen(
                evidence: evidence, sender: transport.name,
                asksStaple: transport.capabilities.contains(.ocspStaple))
            guard !evidence.missing.isEmpty || evidence.report.failure?.code == .unsupported else { return seen }
            // The first that has the capability says best what it can't send.
            if last == nil || !(last?.evidence.missing.isEmpty ?? true) { last = seen }
        }
        return last
    }

    /// Returns true if one of the clients that send a ClientHello would pass but for the server's time: it is asked as that
    /// client (requirement 108).
    private func asksServer(_ check: Check, _ clients: [Trusting], _ seen: Seen, at instant: Date) async -> Bool {
        for client in clients {
            let judged = await judge(check, client, seen, others: [], at: instant)
            if check.asksServer(after: judged.result.verdict.findings) { return true }
        }
        return false
    }

    /// Returns the server's time as seen on a client's connection; where that could not show it, as on another to the same
    /// server.
    private static func serverTime(_ seen: Seen, others: [Seen]) -> ServerTime? {
        let own = seen.evidence.serverTime
        switch own {
        case .known, .unknown: return own
        case nil, .notOffered: break
        }
        var times: [(date: Date, skew: Int)] = []
        for other in others where other.server == seen.server {
            if case .known(let date, let skew)? = other.evidence.serverTime { times.append((date, skew)) }
        }
        // The clock that is furthest off, whichever connection was there first.
        let worst = times.max { (abs($0.skew), $0.date) < (abs($1.skew), $1.date) }
        return worst.map { .known($0.date, skew: $0.skew) } ?? own
    }

    // MARK: Judging

    private func judge(
        _ check: Check, _ trusting: Trusting, _ seen: Seen, others: [Seen], at instant: Date
    ) async -> ClientResult {
        let (client, anchors) = (trusting.client, trusting.anchors)
        let program = program(of: client)
        var report = seen.evidence.report
        // Of a chain that was supplied, the stack that read it was asked for nothing else.
        if report.isSupplied { report.failure = nil }
        var decision: ClientDecision?
        let answering = seen.evidence.attempts.last?.target ?? check.target
        if !report.chain.isEmpty {
            let question = TrustQuestion(
                chain: report.chain, anchors: anchors, name: answering.name, instant: instant,
                staple: program == nil ? client.staple(in: report, wasAsked: seen.asksStaple) : .notAsked)
            decision = await ClientDecision(question, as: client, program: program, reference: reference)
        }
        report.nativeTrust = decision?.own
        var certificates = seen.evidence.certificates.filter { $0.source == .presented }
        for der in decision?.trust.path ?? [] where !certificates.contains(where: { $0.der == der }) {
            certificates.append(CertificateEvidence(der: der, source: .anchor, stackKey: await key(of: der)))
        }
        let identity = BackendIdentity(
            name: client.name, library: program?.identity.library ?? "emulated",
            version: program?.identity.version ?? client.library)
        var evidence = ConnectionEvidence(
            transport: identity, report: report, missing: seen.evidence.missing, certificates: certificates,
            referenceTrust: decision?.trust, anchors: anchors, instant: instant,
            serverTime: Self.serverTime(seen, others: others))
        evidence.attempts = seen.evidence.attempts
        evidence.isInstantChosen = clock.isFixed
        let own = client.policies.compactMap { policies[$0] }
        let asked = check.made(
            withAnchors: anchors, offer: nil, minimumTLS: client.offer.versionRange?.lowerBound, policies: own
        ).withPins(readBy: client)
        let findings = asked.connectionPolicy.judge(Evidence(connection: evidence, model: nil), at: instant)
        let words = ClientFindings(
            client: client, program: program?.identity, anchors: anchors, evidence: evidence, sender: seen.sender,
            startsTLS: answering.startTLS != nil,
            onAllPaths: decision?.onAllPaths, canBeServed: decision?.canBeServed ?? false,
            dependsOnPath: asked.pins.contains { $0.dependsOnPath },
            others: others.map(\.evidence.report))
        return ClientResult(
            client: client, isEmulated: program == nil,
            result: ProbeResult(
                subject: check.target.description, service: check.service, trust: .reference,
                evidence: Evidence(connection: evidence, model: nil), verdict: Verdict(words.findings(findings))
            ).about(check))
    }

    /// Returns a certificate's key as a stack decodes it; the first one's, which is asked until it answers.
    private func key(of certificate: [UInt8]) async -> KeyReading {
        if let known = keys[certificate] { return known }
        guard let transport = transports.first else { return .unanswered("this build has no TLS backend") }
        let reading = await transport.readKey(ofCertificate: certificate)
        if case .unanswered = reading { return reading }
        keys[certificate] = reading
        return reading
    }
}
