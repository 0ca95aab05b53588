import ProbeKit
import ProbePlatform
import ProbeProfiles
import ProbeRun

/// All services and lists of models of a profile, or those of one target.
extension ModuleProbe {
    func probe(
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
            let backups = module.profile.backups(of: check)
            let connection = try await probe(check, backups: backups, served, share(), &answer)
            answer.add(connection, of: check)
            let proven = connection.flatMap { $0.report.isProven ? $0 : nil }
            PinMetrics.addEnds(check, seeing: proven, at: proven?.instant ?? clock.now, to: &answer.metrics)
            if let label = check.service, let proven { chains[label] = proven }
        }
        answer.forecast = await module.forecast(
            checks.services, chains: chains, at: chains.values.map(\.instant).max() ?? clock.now)
        for (model, name) in zip(checks.models, checks.models.listNames) {
            let asked = try read { () throws(InputError) in try backends.model(model) }
            let results = await backends.prober.probe(
                asked.check, subject: model.subject, through: asked.resolvers, timeout: share().remaining)
            answer.add(name.map { name in results.map { $0.named(name) } } ?? results)
        }
        return answer
    }

    /// Asks about one service, and its alternates where it does not answer: each at the address that was judged.
    ///
    /// - Parameter backups: the pins of each group that the profile marks as backups.
    /// - Returns: the connection that is shown where there is place for one.
    private func probe(
        _ check: Check, backups: [Set<Pin>], _ served: ServeModule, _ deadline: Deadline, _ answer: inout ProbeAnswer
    ) async throws(ServeRefusal) -> ConnectionEvidence? {
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
                places.append(found.dialled(target))
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
            PinMetrics.add(check, backups: backups, connection, to: &answer.metrics)
        }
        let connection = best(results)
        if let connection {
            ConnectionMetrics.add(connection, service: check.service, isHTTP: false, to: &answer.metrics)
        }
        try await judge(asked, served.fleet, deadline, &answer)
        return connection
    }
}

extension ProbeResult {
    /// Returns the same result under the name of its list.
    fileprivate func named(_ list: String) -> ProbeResult {
        ProbeResult(subject: subject, service: list, trust: trust, evidence: evidence, verdict: verdict)
    }
}

extension [ModelCheck] {
    /// The names of the lists, which their labels have: host and model, the servers too where those are the same, and the place
    /// among lists that still are. The name of a single list is nil.
    var listNames: [String?] {
        guard count > 1 else { return map { _ in nil } }
        let short = map { [$0.subject, $0.model?.description].compactMap(\.self).joined(separator: " ") }
        let long = zip(short, self).map { name, list in
            short.count { $0 == name } > 1 ? ([name] + list.serverTexts).joined(separator: " ") : name
        }
        return long.indices.map { index in
            let place = long[...index].count { $0 == long[index] }
            return place > 1 ? "\(long[index]) (\(place))" : long[index]
        }
    }
}
