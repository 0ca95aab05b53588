import ProbeClients
import ProbeKit
import ProbePlatform
import ProbeRun

/// Asks the stacks what a module asks of a target.
struct ModuleProbe: Sendable {
    /// One request: the target, the expected name and the time limit.
    struct Question: Sendable {
        /// The target's text; nil where the request has none.
        let target: String?
        /// The name that the target's certificate has to have, where the module leaves it open.
        let hostname: String?
        let timeout: Duration
        /// True if a fleet is judged on the days to come too, which a scraper does not wait for.
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

    /// Returns the connection that is shown where there is place for one: the first that was made, else the first.
    func best(_ results: [ProbeResult]) -> ConnectionEvidence? {
        let connections = results.compactMap(\.evidence.connection)
        return connections.first { $0.report.failure == nil } ?? connections.first
    }

    /// Judges a target as each client of a fleet would, once more at the address that the stacks dialled.
    func judge(
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
    func forecast(_ fleet: Fleet, _ answer: inout ProbeAnswer) async throws(ServeRefusal) {
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

    func probe(_ check: Check) async throws(ServeRefusal) -> [ProbeResult] {
        let asked = try read { () throws(InputError) in try backends.check(check) }
        return await backends.prober.probe(asked.check, through: asked.transports, resolvers: asked.resolvers)
    }

    /// Returns the stacks' time: a server that stalls one of them leaves as much for the clients of a fleet.
    func limit(_ served: ServeModule, _ deadline: Deadline) -> Duration {
        served.fleet == nil ? deadline.remaining : deadline.remaining / 2
    }

    func target(of question: Question) throws(ServeRefusal) -> String {
        guard let target = question.target, !target.isEmpty else {
            throw ServeRefusal(.badRequest, "the request has no 'target'")
        }
        return target
    }

    /// Looks a target up, with the metrics of that; nil if there is no address, which is a failure of the probe.
    func dial(
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

    func endpoint(_ address: TargetAddress, _ port: UInt16) -> Endpoint? {
        address.address.map { Endpoint(host: .ip($0), port: port) }
    }

    func read<Value>(_ body: () throws(InputError) -> Value) throws(ServeRefusal) -> Value {
        do throws(InputError) {
            return try body()
        } catch {
            throw ServeRefusal(.badRequest, error.description)
        }
    }
}
