import ProbeClients
import ProbeKit
import ProbePins
import ProbePlatform
import ProbeRun

/// Asks the stacks what a module asks of a target.
struct ModuleProbe: Sendable {
    /// The format that a scraper asks for.
    struct Question: Sendable {
        /// The target's text; nil where the request has none.
        let target: String?
        /// The name that the target's certificate has to have, where the module leaves it open.
        let hostname: String?
        let timeout: Duration
        /// Whether a fleet is judged on the days to come too, which a scraper does not wait for.
        var isWatched = false
    }

    let backends: ServeBackends
    let rules: TargetRules
    let clock: ProbeClock

    /// Returns the answer.
    ///
    /// - Throws: ``ServeRefusal`` if nothing may be asked, or the question can't be read.
    func answer(_ question: Question, of module: ServeModule) async throws(ServeRefusal) -> ProbeAnswer {
        let start = ContinuousClock.now
        let deadline = Deadline.after(question.timeout)
        var answer =
            switch module.prober {
            case .tls(let tls): try await probe(tls, question, module, deadline)
            case .dns(let dns): try await probe(dns, question, module.addresses, deadline)
            case .profile(let profile): try await probe(profile, question, module, deadline)
            }
        answer.metrics.add(
            "probe_success", "Whether the target passes: with every stack that was asked, by all that the module asks.",
            holds: answer.isSuccess)
        answer.metrics.add(
            "probe_duration_seconds", "The time of the whole probe, in seconds.",
            value: start.duration(to: .now).inSeconds)
        if question.isWatched, let fleet = module.fleet?.fleet { try await forecast(fleet, &answer) }
        return answer
    }

    // MARK: One handshake

    private func probe(
        _ module: TLSModule, _ question: Question, _ served: ServeModule, _ deadline: Deadline
    ) async throws(ServeRefusal) -> ProbeAnswer {
        let text = try target(of: question)
        let target = try read { () throws(InputError) in try module.target(text) }
        let hostname = try read { () throws(InputError) in try question.hostname.map(ServerName.init) }
        var answer = ProbeAnswer()
        answer.metrics.add(
            "probe_failed_due_to_regex", "Whether a pattern did not match: never, none is looked for.", holds: false)
        guard
            let address = try await dial(
                target.name, port: target.port, served.addresses, deadline, &answer)
        else { return answer }
        if module.isHTTP {
            answer.metrics.add(
                "probe_http_duration_seconds", Help.phases, ["phase": "resolve"], value: address.duration.inSeconds)
        }
        let limit = limit(served, deadline)
        let check = module.check(target, hostname: hostname, timeout: limit)
            .within(limit, dialling: endpoint(address, target.port))
        let results = try await probe(check)
        answer.add(results)
        if let connection = best(results) {
            ConnectionMetrics.add(connection, isHTTP: module.isHTTP, to: &answer.metrics)
        }
        try await judge(check, served.fleet, deadline, &answer)
        answer.add(best(results), of: check)
        return answer
    }

    /// Returns the connection that is shown where there is place for one: the first that was made, else the first.
    private func best(_ results: [ProbeResult]) -> ConnectionEvidence? {
        let connections = results.compactMap(\.evidence.connection)
        return connections.first { $0.report.failure == nil } ?? connections.first
    }

    /// Judges a target as each client of a fleet would, once more at the address that the stacks dialled.
    private func judge(
        _ check: Check, _ served: ServedFleet?, _ deadline: Deadline, _ answer: inout ProbeAnswer
    ) async throws(ServeRefusal) {
        guard let fleet = served?.fleet else { return }
        let asked = check.within(deadline.remaining)
        do throws(InputError) {
            let results = try await backends.clients.results(asked, clients: fleet.members.map(\.client))
            answer.add(FleetReading(fleet, results), of: check.service)
        } catch {
            throw ServeRefusal(.badRequest, error.description)
        }
    }

    /// Judges the servers' chains as each client of a fleet would on the days to come, when all questions are answered:
    /// this takes longer than they do, and asks nobody.
    private func forecast(_ fleet: Fleet, _ answer: inout ProbeAnswer) async throws(ServeRefusal) {
        let forecast = ClientForecast(fleet.members.map(\.client), makeRun: backends.clientsAt)
        for (check, connection) in answer.proven where !Task.isCancelled {
            let changes = check.service.map { ClientForecast.changes(answer.forecast, of: $0) } ?? []
            do throws(InputError) {
                let moments = try await forecast.moments(
                    check, chain: connection.report.chain, from: connection.instant, changes: changes)
                answer.add(FleetForecast(fleet, moments), of: check.service)
            } catch {
                throw ServeRefusal(.badRequest, error.description)
            }
        }
    }

    private func probe(_ check: Check) async throws(ServeRefusal) -> [ProbeResult] {
        let asked = try read { () throws(InputError) in try backends.check(check) }
        return await backends.prober.probe(asked.check, through: asked.transports, resolvers: asked.resolvers)
    }

    // MARK: One query

    private func probe(
        _ module: DNSModule, _ question: Question, _ preference: AddressPreference, _ deadline: Deadline
    ) async throws(ServeRefusal) -> ProbeAnswer {
        let text = try target(of: question)
        guard question.hostname == nil else {
            throw ServeRefusal(.badRequest, "'hostname' is of no use with a dns module: a server has no name to prove")
        }
        let server = try read { () throws(InputError) in try DNSModule.server(text) }
        var answer = ProbeAnswer()
        guard
            let address = try await dial(
                server.host, port: server.port, preference, deadline, &answer),
            let endpoint = endpoint(address, server.port)
        else { return answer }
        let asked = try read { () throws(InputError) in try backends.model(module.check(endpoint)) }
        let results = await backends.prober.probe(
            asked.check, subject: text, through: asked.resolvers, timeout: deadline.remaining)
        let first = results.first { DNSMetrics.responseCode($0.evidence.model) != nil } ?? results.first
        DNSMetrics.add(first?.evidence.model, lookup: address.duration, to: &answer.metrics)
        answer.add(results.map { judged($0, module) })
        return answer
    }

    /// Returns true for a reply that answers the question, whatever it says: one that is forged, broken or cut does not.
    private static func isAnswer(_ reading: ModelReading?) -> Bool {
        guard case .indeterminate(.unusable(let fault)) = reading else { return true }
        return [.serverFailure, .refused, .responseCode, .referral, .noProof].contains(fault.code)
    }

    /// Returns a result that passes if the answer has one of the module's codes, whatever list of models it has.
    private func judged(_ result: ProbeResult, _ module: DNSModule) -> ProbeResult {
        let findings: [Finding]
        switch DNSMetrics.responseCode(result.evidence.model) {
        case .some where result.verdict.outcome == .readingsDisagree: findings = result.verdict.findings
        case .some where !Self.isAnswer(result.evidence.model?.deciding?.reading):
            findings = result.verdict.findings.filter { $0.severity == .error }
        case .some(let code) where module.validCodes.contains(code):
            findings = [.note("response-code", stage: .dns, "the server answers \(code.mnemonic)")]
        case .some(let code):
            findings = [
                .error(
                    .dnsIndeterminate, code: "response-code", stage: .dns, "the server answers \(code.mnemonic)",
                    fix: "let it answer \(module.validCodes.map(\.mnemonic).joined(separator: " or "))")
            ]
        case nil:
            findings = result.verdict.findings.filter { $0.severity == .error }
        }
        let leftOut = result.verdict.findings.filter { $0.severity == .note && $0.code.hasSuffix("-left-out") }
        return ProbeResult(
            subject: result.subject, service: result.service, trust: result.trust, evidence: result.evidence,
            verdict: Verdict(findings + leftOut.filter { !findings.contains($0) }))
    }

    // MARK: A profile

    private func probe(
        _ module: ProfileModule, _ question: Question, _ served: ServeModule, _ deadline: Deadline
    ) async throws(ServeRefusal) -> ProbeAnswer {
        guard question.hostname == nil else {
            throw ServeRefusal(
                .badRequest, "'hostname' is of no use with a profile, which has the names of its services")
        }
        let checks = try read { () throws(InputError) in try module.checks(of: question.target) }
        var answer = ProbeAnswer()
        var chains: [String: ConnectionEvidence] = [:]
        var left = checks.services.count + checks.models.count
        /// A server that says nothing takes its own share of the time, not that of those after it.
        func share() -> Deadline {
            defer { left -= 1 }
            return .after(deadline.remaining / left)
        }
        for check in checks.services {
            let connection = try await probe(check, served, share(), &answer)
            answer.add(connection, of: check)
            if let label = check.service, let connection, connection.report.isProven { chains[label] = connection }
        }
        answer.forecast = module.forecast(
            checks.services, chains: chains, at: chains.values.map(\.instant).max() ?? clock.now)
        for model in checks.models {
            let asked = try read { () throws(InputError) in try backends.model(model) }
            let results = await backends.prober.probe(
                asked.check, subject: model.subject, through: asked.resolvers, timeout: share().remaining)
            // Two lists would have the same labels.
            let isOneOfSeveral = checks.models.count > 1
            answer.add(isOneOfSeveral ? results.map { $0.named(for: model) } : results)
        }
        return answer
    }

    /// Asks about one service, and its alternates where it does not answer: each at the address that was judged.
    ///
    /// - Returns: the connection that is shown where there is place for one.
    private func probe(
        _ check: Check, _ served: ServeModule, _ deadline: Deadline, _ answer: inout ProbeAnswer
    ) async throws(ServeRefusal) -> ConnectionEvidence? {
        PinMetrics.addEnds(check, to: &answer.metrics)
        var (places, absences): ([Target], [HandshakeFailure]) = ([], [])
        for target in [check.target] + check.alternates {
            // Whoever wrote the profile chose the address that it names.
            guard target.connect == nil else {
                places.append(target)
                continue
            }
            let found = try await TargetAddress.find(
                target.name, port: target.port, served.addresses, rules, by: deadline)
            if target == check.target { AddressMetrics.add(found, service: check.service, to: &answer.metrics) }
            if let address = found.address {
                answer.note("\(target.name) is at \(address)")
                places.append(target.dialled(at: endpoint(found, target.port)))
            } else if let failure = found.failure {
                absences.append(failure)
            }
        }
        guard !places.isEmpty else {
            for absence in absences { answer.fail(absence) }
            return nil
        }
        for absence in absences { answer.note(ProbeAnswer.words(absence)) }
        let asked = check.trying(places).within(limit(served, deadline))
        let results = try await probe(asked)
        answer.add(results)
        for connection in results.compactMap(\.evidence.connection) where connection.report.isProven {
            PinMetrics.add(check, connection, to: &answer.metrics)
        }
        let connection = best(results)
        if let connection {
            ConnectionMetrics.add(connection, service: check.service, isHTTP: false, to: &answer.metrics)
        }
        try await judge(asked, served.fleet, deadline, &answer)
        return connection
    }

    /// Returns the stacks' time: a server that stalls one of them leaves as much for the clients of a fleet.
    private func limit(_ served: ServeModule, _ deadline: Deadline) -> Duration {
        served.fleet == nil ? deadline.remaining : deadline.remaining / 2
    }

    // MARK: Targets

    private func target(of question: Question) throws(ServeRefusal) -> String {
        guard let target = question.target, !target.isEmpty else {
            throw ServeRefusal(.badRequest, "the request has no 'target'")
        }
        return target
    }

    /// Looks a target up, with the metrics of that; nil if there is no address, which is a failure of the probe.
    private func dial(
        _ name: ServerName, port: UInt16, _ preference: AddressPreference, _ deadline: Deadline,
        _ answer: inout ProbeAnswer
    ) async throws(ServeRefusal) -> TargetAddress? {
        let found = try await TargetAddress.find(name, port: port, preference, rules, by: deadline)
        AddressMetrics.add(found, to: &answer.metrics)
        guard let address = found.address else {
            if let failure = found.failure { answer.fail(failure) }
            return nil
        }
        answer.note("\(name) is at \(address)")
        return found
    }

    private func endpoint(_ address: TargetAddress, _ port: UInt16) -> Endpoint? {
        address.address.map { Endpoint(host: .ip($0), port: port) }
    }

    private func read<Value>(_ body: () throws(InputError) -> Value) throws(ServeRefusal) -> Value {
        do throws(InputError) {
            return try body()
        } catch {
            throw ServeRefusal(.badRequest, error.description)
        }
    }
}

extension ProbeResult {
    /// Returns the same result, told from those about other lists by what was looked for and where.
    fileprivate func named(for model: ModelCheck) -> ProbeResult {
        let name = [model.subject, model.model?.description].compactMap(\.self).joined(separator: " ")
        return ProbeResult(subject: subject, service: name, trust: trust, evidence: evidence, verdict: verdict)
    }
}
