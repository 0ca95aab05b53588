import ProbeDNS
public import ProbeKit
import ProbeLab
import ProbePlatform
public import ProbeRun

extension DNSScenario {
    /// All of them, by topic.
    public static let all = lists + transport + codes + aliases + forgeries + signatures + https + overTLS

    /// The result of a scenario.
    public struct Result: Sendable {
        /// The reading.
        public let reading: ModelReading
        /// The answer as `probe check` judges it.
        public let judged: ProbeResult
        /// The resolver's report.
        public let report: DNSReport
        /// The outcome that counts: a resolver's own fault is not the answer that is not one.
        public var outcome: Outcome { report.isOwnFault ? .internalError : judged.verdict.outcome }
        /// The duration.
        public let duration: Duration
        /// A description of the broken promise, with the evidence; nil if it was kept.
        public let failure: String?
    }

    /// Starts the servers, asks through `resolver`, and compares the result with the promise.
    ///
    /// - Parameters:
    ///   - resolver: the resolver to ask.
    /// - Throws: ``InputError`` or an error of the lab, if the scenario itself could not be played.
    public func run(with resolver: any Resolver) async throws -> Result {
        try await run(with: resolver) { _ in }
    }

    func run(with resolver: any Resolver, extend: @escaping @Sendable (Duration) -> Void) async throws -> Result {
        let replay = Replay(
            timeout: timeout, isAboutTime: expectedCode == "timeout" || duration != nil, extend: extend)
        return try await replay.run { limit in
            let (result, lost) = try await with { $0.timeout = limit }.play(with: resolver)
            return Replay.Played(result, result.judged.verdict.outcome, failure: result.failure, lost: lost)
        }
    }

    private func play(with resolver: any Resolver) async throws -> (Result, lost: Duration) {
        if case .tls = medium {
            return try await withServers { server in
                try await LabDoTServer.start(
                    server.zone, pki: pki, tls: tls, on: server.address, isListening: server.listening != .nothing)
            } stop: {
                await $0.stop()
            } body: { running in
                let servers = try running.map { server throws(InputError) in try server.server() }
                return try await ask(query(toTLS: servers), through: resolver)
            }
        }
        guard let method = method(for: resolver) else {
            return try await withServers { server in
                try await LabDNSServer.start(
                    server.zone, on: server.address.description, listening: server.listening)
            } stop: {
                await $0.stop()
            } body: { running in
                try await ask(query(to: running.map(\.endpoint)), through: resolver)
            }
        }
        return try await withServers { server in
            try await LabDoHServer.start(
                server.zone, pki: pki, tls: tls, on: server.address, isListening: server.listening != .nothing)
        } stop: {
            await $0.stop()
        } body: { running in
            let https = try running.map { server throws(InputError) in try server.server(method) }
            return try await ask(query(toHTTPS: https), through: resolver)
        }
    }

    /// Servers are stopped whatever happens.
    private func withServers<Running>(
        start: (Server) async throws -> Running, stop: (Running) async -> Void,
        body: ([Running]) async throws -> (Result, lost: Duration)
    ) async throws -> (Result, lost: Duration) {
        var running: [Running] = []
        do {
            for server in servers { running.append(try await start(server)) }
            let result = try await body(running)
            for server in running { await stop(server) }
            return result
        } catch {
            for server in running { await stop(server) }
            throw error
        }
    }

    /// Returns the method for asking a resolver over HTTPS; nil for UDP and TCP. A resolver that can do both is asked
    /// over these, unless the promise is about HTTPS.
    private func method(for resolver: any Resolver) -> DoHServer.Method? {
        if case .https(let method) = medium { return method }
        if case .tls = medium { return nil }
        return resolver.capabilities.contains(.chosenServers) ? nil : .post
    }

    /// The certificates of the servers over HTTPS or TLS; they are valid at the scenario's instant.
    private var pki: LabPKI { instant.map { LabPKI(epoch: $0) } ?? Self.pki }

    static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    /// Returns true if a resolver claims all capabilities of the query. If not, it is never asked: the prober refuses.
    public func isAsked(of resolver: any Resolver) -> Bool {
        var required = query().requiredCapabilities
        if case .tls = medium {
            required.subtract([.chosenServers, .tcpOnTruncation])
            required.insert(.tlsServers)
        }
        if method(for: resolver) != nil {
            if case .plain = medium { return false }
            required.subtract([.chosenServers, .tcpOnTruncation])
            required.insert(.httpsServers)
        }
        return required.isSubset(of: resolver.capabilities)
    }

    private func query(
        to servers: [Endpoint] = [], toHTTPS httpsServers: [DoHServer] = [], toTLS tlsServers: [DNSQuery.TLSServer] = []
    ) -> DNSQuery {
        DNSQuery(
            name: Self.name, servers: servers, httpsServers: httpsServers, tlsServers: tlsServers, ednsSize: ednsSize,
            tries: tries, dnssec: dnssec, anchors: anchors,
            instant: instant ?? (httpsServers.isEmpty && tlsServers.isEmpty ? nil : pki.epoch),
            deadline: .after(timeout))
    }

    private func ask(
        _ query: DNSQuery, through resolver: any Resolver
    ) async throws -> (Result, lost: Duration) {
        let model = try ModelName(model)
        let start = ContinuousClock.now
        let (report, lost) = await Replay.measured { await resolver.resolve(query) }
        let elapsed = start.duration(to: .now)
        let reading = ModelReading(report, name: Self.name, model: model, strings: strings, dnssec: dnssec)
        let answer = ModelEvidence.Answer(host: Self.name, report: report, reading: reading, duration: elapsed)
        let judged = judge(
            ModelEvidence(resolver: resolver.identity, model: model, answers: [answer], missing: []), model)
        let seen = Seen(
            reading: reading, verdict: judged.verdict, elapsed: elapsed, lost: lost,
            comparesCode: dnssec != .off || resolver.capabilities.contains(.failureReasons))
        let failure: String? =
            if report.isOwnFault {
                "\(id) could not be judged: \(resolver.name) failed by itself. Seen: \(judged.verdict.text)"
            } else if let exemption = exemptions[resolver.name] {
                failure(seen, exemption, of: resolver.name)
            } else {
                failure(seen, without: seen.lost)
            }
        return (Result(reading: reading, judged: judged, report: report, duration: elapsed, failure: failure), lost)
    }

    /// Judges the evidence at the scenario's instant; a list that was just read does not depend on the time.
    private func judge(_ evidence: ModelEvidence, _ model: ModelName) -> ProbeResult {
        let check = ModelCheck(
            model: model, hosts: [Self.name], servers: [], ednsSize: ednsSize, tries: tries, dnssec: dnssec,
            anchors: anchors, strings: strings)
        let evidence = Evidence(connection: nil, model: evidence)
        let verdict = Verdict(ModelListed(check).judge(evidence, at: instant ?? .distantPast))
        return ProbeResult(subject: Self.name.description, evidence: evidence, verdict: verdict)
    }

    /// The facts that are compared with the promise.
    private struct Seen {
        let reading: ModelReading
        let verdict: Verdict
        let elapsed: Duration
        let lost: Duration
        let comparesCode: Bool
        var outcome: Outcome { verdict.outcome }

        /// Returns true if an indeterminate result has this code, if that matters.
        func hasCode(_ code: String?) -> Bool {
            guard comparesCode, let code, outcome == .dnsIndeterminate else { return true }
            guard case .indeterminate(let doubt) = reading else { return false }
            return doubt.code == code
        }
    }

    /// - Parameter lost: the time that the process lost, which is not the backend's.
    private func failure(_ seen: Seen, without lost: Duration) -> String? {
        let promise = "\(id) promises \(expected.rawValue): \(sentence) [\(source)]"
        guard seen.outcome == expected else {
            return "\(promise) Seen: \(seen.verdict.text)"
        }
        guard seen.hasCode(expectedCode) else {
            return "\(promise) The code is to be \(expectedCode ?? "any"). Seen: \(seen.verdict.text)"
        }
        if let duration, seen.elapsed < duration.lowerBound || seen.elapsed - lost > duration.upperBound {
            return "\(promise) It is to take \(duration.lowerBound) to \(duration.upperBound). Seen: \(seen.elapsed)"
        }
        return nil
    }

    private func failure(_ seen: Seen, _ exemption: Exemption, of backend: String) -> String? {
        let exempted = "\(id) exempts \(backend): \(exemption.reason)"
        // By the clock: a backend that is slow on a busy machine too has not become quick.
        guard failure(seen, without: .zero) != nil else {
            return "\(exempted) Yet it keeps the promise: the exemption is stale."
        }
        guard exemption.outcomes.contains(seen.outcome) else {
            return "\(exempted) Not allowed even so: \(seen.verdict.text)"
        }
        guard seen.hasCode(exemption.code) else {
            return "\(exempted) The code is to be \(exemption.code ?? "any"). Seen: \(seen.verdict.text)"
        }
        return nil
    }
}
