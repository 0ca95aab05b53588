public import ProbeKit
public import ProbeLab
import ProbeNet
import ProbePlatform
public import ProbeRun
import ProbeTrust

extension TLSScenario {
    /// The result of a scenario.
    public struct Result: Sendable {
        /// The verdict and its evidence.
        public let result: ProbeResult
        /// The duration of the probe.
        public let duration: Duration
        /// The outcome expected of the transport: ``TLSScenario/expectedOutcome(of:)``, or `unsupported` if it lacks
        /// the scenario's capabilities (decided: no-fallback).
        public let expected: Outcome
        /// A description of the broken promise, with the evidence; nil if it was kept.
        public let failure: String?
        /// True if the transport gave no trust result without a connection, although it declares that it can.
        let isUnanswered: Bool
        /// The outcome that counts: a transport's own fault is not a difference of its trust results.
        public var outcome: Outcome { isUnanswered ? .internalError : result.verdict.outcome }
    }

    /// The time that a probe may take after its deadline: judging costs time too, and machines are busy.
    private static let grace = Duration.seconds(2)

    /// Starts the server, probes it through `transport`, and compares the result with the promise.
    ///
    /// A play that failed while this process was late with its own work is repeated, with more time.
    ///
    /// - Throws: ``InputError`` or an error of the lab, if the scenario itself could not be played.
    public func run(through transport: any Transport, pki: LabPKI) async throws -> Result {
        try await run(through: transport, pki: pki) { _ in }
    }

    func run(
        through transport: any Transport, pki: LabPKI, extend: @escaping @Sendable (Duration) -> Void
    ) async throws -> Result {
        let replay = Replay(timeout: timeout, isAboutTime: false, extend: extend)
        return try await replay.run { limit in
            let (result, lost) = try await with { $0.timeout = limit }.play(through: transport, pki: pki)
            return Replay.Played(result, result.outcome, failure: result.failure, lost: lost)
        }
    }

    private func play(through transport: any Transport, pki: LabPKI) async throws -> (Result, lost: Duration) {
        try await LabServer.run(peer, pki: pki, on: address) { server in
            let check = try check(of: server.endpoint, pki: pki)
            // Our lateness is measured around the whole case, which is then played again.
            let prober = Prober(clock: .fixed(pki.epoch.addingTimeInterval(Double(instant))))
            let start = ContinuousClock.now
            let (results, lost) = await Replay.measured {
                await prober.probe(check, through: [transport], resolvers: [])
            }
            let elapsed = start.duration(to: .now)
            // One transport and no model check make exactly one result.
            guard let result = results.first, results.count == 1 else {
                throw InputError(
                    "\(results.count) results for one transport", remedy: "report this as a fault of the prober")
            }
            let isSupported = result.evidence.connection?.missing.isEmpty ?? true
            let name = transport.name
            let deviation = deviations[name]
            let expected = isSupported ? expectedOutcome(of: name) : .unsupported
            let difference = difference(
                of: result, from: isSupported ? self.expected : .unsupported, capabilities: transport.capabilities)
            var failure = deviation.map { self.failure(of: result, $0, difference) } ?? difference
            if failure == nil, isSupported {
                failure = try contradiction(of: result, capabilities: transport.capabilities, pki)
            }
            let offline = failure == nil ? await offlineTrust(of: result, check, through: transport) : nil
            if let offline {
                failure = offlineContradiction(of: result, offline, exempt: deviation?.offlineTrust)
            }
            if failure == nil { failure = await questionContradiction(of: result, check, through: transport) }
            if failure == nil, elapsed - lost > timeout + Self.grace {
                failure = "it took \(elapsed), allowed are \(timeout)"
            }
            if failure == nil { failure = await overheard(by: server, requests: isSupported ? requests : 0) }
            let promise =
                deviation.map { "\(id) exempts \(name), \($0.outcome.rawValue): \($0.reason)." }
                ?? "\(id) promises \(expected.rawValue): \(sentence) [\(source)]"
            let played = Result(
                result: result, duration: elapsed, expected: expected,
                failure: failure.map { "\(promise) Seen: \($0)" }, isUnanswered: !(offline?.isAnswered ?? true))
            return (played, lost)
        }
    }

    private func check(of endpoint: Endpoint, pki: LabPKI) throws -> Check {
        let certificates = try anchors.map { anchor in
            switch anchor {
            case .authority(let authority): try pki.certificate(of: authority)
            case .leaf(let name): try pki.identity(name).leaf
            }
        }
        let target = Target(name: try ServerName(name), connect: proxy == nil ? endpoint : nil, startTLS: startTLS)
        var demands = try NamedPolicies.named(policies)
        if readsNamesExactly { demands.append(EmulatedName(target.name)) }
        return Check(
            target: target,
            anchors: TrustAnchors(
                name: "lab", certificates: certificates,
                revocationLists: try revocationLists.map { try $0.encoded(pki) }, isSystem: anchorsAreSystem),
            trust: trust,
            pins: try pins.map { try $0.group(pki) },
            certificates: try self.certificates.map { try $0.expectation(pki) }, minimumTLS: minimumTLS, alpn: alpn,
            offer: offer,
            demands: demands, serverDate: serverDate, timeout: timeout,
            clientIdentity: try clientIdentity.map { try pki.identity($0).asClient },
            route: try route(endpoint, pki))
    }

    private func route(_ endpoint: Endpoint, _ pki: LabPKI) throws -> HandshakeRequest.Route {
        guard let proxy else { return .direct }
        return .proxy(
            HandshakeRequest.Proxy(
                proxy, at: endpoint,
                credentials: proxyCredentials.map { .basic(Secret(copying: Array($0.utf8).span)) },
                anchors: TrustAnchors(name: "lab", certificates: [try pki.certificate(of: .root)])))
    }

    /// Returns the difference of a result from the promise, in its outcome or in its facts; nil if there is none.
    private func difference(
        of result: ProbeResult, from expected: Outcome, capabilities: Set<TransportCapability>
    ) -> String? {
        let verdict = result.verdict
        guard verdict.outcome == expected else { return verdict.text }
        // A check that was not made has no facts to compare.
        guard expected == self.expected, result.evidence.connection != nil else { return nil }
        guard verdict.decidingFinding?.code == expectedCode else {
            return "\(verdict.text); the code is to be \(expectedCode ?? "none")"
        }
        let known = facts.filter { $0.capability.map(capabilities.contains) ?? true }
        return known.lazy.compactMap { $0.contradiction(in: result) }.first
    }

    /// Returns the fault of a result that is known to differ.
    private func failure(of result: ProbeResult, _ deviation: Deviation, _ difference: String?) -> String? {
        guard difference != nil else { return "the promise is kept: the exemption is stale, take it out." }
        let verdict = result.verdict
        guard verdict.outcome == deviation.outcome else { return verdict.text }
        guard deviation.code == nil || verdict.decidingFinding?.code == deviation.code else {
            return "\(verdict.text); the code is to be \(deviation.code ?? "any")"
        }
        return nil
    }

    /// Returns a contradiction of the bytes sent over the wire, whatever the exemptions.
    private func contradiction(
        of result: ProbeResult, capabilities: Set<TransportCapability>, _ pki: LabPKI
    ) throws -> String? {
        guard let report = result.evidence.connection?.report, report.failure == nil, let presented else { return nil }
        guard report.chain == (try pki.identity(presented).chain) else {
            return "\(report.chain.count) certificates that are not the presented ones"
        }
        let wanted = try ServerName(name).sni
        guard report.sniSent == wanted else {
            return "SNI '\(report.sniSent ?? "")', to be sent is '\(wanted ?? "")'"
        }
        // Behind a proxy the server's address is not known.
        let reached = report.peerAddress.flatMap(IPAddress.init)
        guard proxy != nil || reached.map({ $0.mapped ?? $0 }) == address else {
            return "the address '\(report.peerAddress ?? "")', reached is '\(address)'"
        }
        return try extrasContradiction(in: report, capabilities: capabilities, pki)
    }

    /// Returns a difference of what was on the wire from the offer.
    private func offerContradiction(in hellos: [[UInt8]]) -> String? {
        guard let offer else { return nil }
        let request = HandshakeRequest(
            endpoint: Endpoint(host: .ip(address), port: 0), serverName: .ip(address), anchors: .none,
            instant: Date(timeIntervalSince1970: 0), deadline: .after(.zero), offer: offer)
        for hello in hellos {
            guard let hello = ClientHello(records: hello) else { return "a ClientHello that can't be read" }
            if let difference = hello.contradiction(of: request) {
                return "a ClientHello that is not the offer: \(difference.message)"
            }
        }
        if expected == .unsupported { return hellos.isEmpty ? nil : "a ClientHello, although the offer is refused" }
        return nil
    }

    /// Returns the fault of the data that the server received inside TLS, once the connection is gone (requirements 45
    /// and 108).
    private func overheard(by server: LabServer, requests: Int?) async -> String? {
        guard case .tls(let recipe) = peer else { return nil }
        var looks = 0
        while server.openConnections > 0 {
            // Looks are counted, since a machine without processor time has no time to close either.
            guard looks < 2000, !Task.isCancelled else { return "a connection that is still open" }
            looks += 1
            try? await Task.sleep(for: .milliseconds(1))
        }
        if let difference = offerContradiction(in: server.clientHellos) { return difference }
        let bytes = server.applicationBytes
        guard let requests else { return nil }
        if requests == 0 { return bytes == 0 ? nil : "\(bytes) bytes of application data" }
        guard bytes > 0 else { return "no application data" }
        guard case .http = recipe.service else { return nil }
        let wanted = LabHTTPRequest(
            method: "HEAD", path: "/", fields: [.init("host", name), .init("user-agent", HTTPExchange.userAgent)])
        let seen = server.requests
        return seen == Array(repeating: wanted, count: requests) ? nil : "the requests \(seen)"
    }
}
