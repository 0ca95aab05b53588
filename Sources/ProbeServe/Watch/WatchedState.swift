import ProbeClients
import ProbeKit
import ProbePlatform
import ProbeProfiles
import ProbeRun

/// The last verdict about a watched target, and how it came about. It is kept as JSON.
struct WatchedState: Codable, Sendable {
    /// A stack's verdict.
    struct Stack: Codable, Hashable, Sendable {
        /// The transport, or the resolver, and the service of a profile.
        let name: String
        let outcome: Outcome
        let code: String?
        let message: String?
        let fix: String?
        /// Nil in what earlier versions kept.
        let outcomeClass: OutcomeClass?
    }

    /// A verdict that is another than before.
    struct Change: Codable, Hashable, Sendable {
        let time: Date
        let stack: String
        let from: Outcome?
        let to: Outcome
        let code: String?
    }

    /// A certificate that the server sent.
    struct Certificate: Codable, Hashable, Sendable {
        let subject: String
        let notBefore: Date
        let notAfter: Date
    }

    /// A fleet's reading.
    struct FleetVerdict: Codable, Hashable, Sendable {
        /// A client's verdict.
        struct Client: Codable, Hashable, Sendable {
            let verdict: Stack
            /// Its share of the users in percent.
            let share: Double
        }

        /// The service of a profile.
        let service: String?
        /// The share of users in percent that connects.
        let connecting: Double
        /// The share that has to.
        let minimum: Double?
        let clients: [Client]
    }

    /// A future change of the server's certificates, and what a platform does then.
    struct Forecast: Codable, Hashable, Sendable {
        let service: String
        let event: ForecastEvent
        let date: Date?
        let frequency: String?
        let platform: String
        let result: ForecastRow.Result
        let reason: String
    }

    /// The number of changes that are kept.
    private static let maximumChanges = 50

    /// The time of the question.
    private(set) var checkedAt: Date
    /// The time of the answer. Nil in what earlier versions kept.
    private var answeredAt: Date?
    /// The digests of all that it was judged by; nil in what was kept before there were any.
    var judge: String?
    private(set) var isSuccess: Bool
    /// The reason of a failure that no stack has, like a name without an address.
    private(set) var reason: String?
    private(set) var stacks: [Stack]
    private(set) var certificates: [Certificate]
    /// Those that were judged before and could not be asked, for the reason. Nil in what was kept before there were any.
    private(set) var unasked: [Stack]?
    /// The last one first.
    private(set) var changes: [Change]
    private(set) var metrics: MetricSet
    /// Nil in what was kept before there were any.
    private(set) var fleets: [FleetVerdict]?
    /// Nil in what was kept before there were any.
    private(set) var forecast: [Forecast]?
    /// Nil in what was kept before there were any.
    private(set) var fleetForecasts: [WatchedFleetForecast]?

    /// The state after an answer.
    ///
    /// - Parameters:
    ///   - now: the time of the question.
    ///   - end: the time of the answer; nil is the same.
    ///   - before: the state that it replaces.
    ///   - names: the names that the question's verdicts may have: another was taken out, and is not one that could not be
    ///     asked. Nil if they are not known.
    init(
        _ answer: ProbeAnswer, at now: Date, until end: Date? = nil, after before: WatchedState?,
        asking names: Set<String>? = nil
    ) {
        checkedAt = now
        answeredAt = end
        isSuccess = answer.isSuccess
        reason = answer.failures.isEmpty ? nil : answer.failures.joined(separator: "; ")
        stacks = answer.results.map(Stack.init)
        metrics = answer.metrics
        let fleets = answer.fleets.map(FleetVerdict.init)
        self.fleets = fleets
        forecast = answer.forecast.map(Forecast.init)
        fleetForecasts = answer.fleetForecasts.map(WatchedFleetForecast.init)
        let connection = answer.results.compactMap(\.evidence.connection).first { !$0.presented.isEmpty }
        certificates =
            connection.map { connection in
                connection.presented.compactMap { index in
                    connection.certificates[index].details.map {
                        Certificate(subject: $0.subject, notBefore: $0.notBefore, notAfter: $0.notAfter)
                    }
                }
            } ?? before?.certificates ?? []
        var changes = before?.changes ?? []
        let judged = stacks + fleets.flatMap(\.named)
        let last = (before?.stacks ?? []) + (before?.fleets ?? []).flatMap(\.named) + (before?.unasked ?? [])
        var unasked: [Stack] = []
        if let reason = reason {
            let known = last.filter { names?.contains($0.name) ?? true }
            unasked = known.filter { old in !judged.contains { $0.name == old.name } }
                .map {
                    Stack(
                        name: $0.name, outcome: .unreachable, code: nil, message: reason, fix: nil, outcomeClass: nil)
                }
        }
        self.unasked = unasked
        for stack in judged + unasked {
            let last = last.first { $0.name == stack.name }
            guard last?.status != stack.status else { continue }
            changes.insert(
                Change(time: now, stack: stack.name, from: last?.outcome, to: stack.outcome, code: stack.code), at: 0)
        }
        self.changes = Array(changes.prefix(Self.maximumChanges))
    }

    /// Returns true if the target is to be asked again.
    ///
    /// - Parameter plan: the plan that it is of.
    func isDue(at now: Date, by plan: WatchPlan) -> Bool {
        let age = age(at: now)
        // A clock that was set back would leave a verdict for good.
        return age < 0 || age >= plan.every.inSeconds
    }

    /// Returns true if it answers scrapes.
    ///
    /// - Parameter plan: the plan that its target is of.
    func isFresh(at now: Date, by plan: WatchPlan) -> Bool {
        let age = age(at: now)
        return age >= 0 && age < plan.lifetime.inSeconds
    }

    /// Returns the seconds since the answer: since the question, one that took longer than a round would be due, or even too old,
    /// as soon as it is there.
    private func age(at now: Date) -> Double { now.timeIntervalSince(answeredAt ?? checkedAt) }

    /// Takes in the changes of an earlier state that was found late.
    mutating func follow(_ earlier: WatchedState) {
        changes = Array((changes + earlier.changes).prefix(Self.maximumChanges))
    }
}

extension WatchedState.FleetVerdict {
    fileprivate init(_ service: String?, _ reading: FleetReading) {
        self.init(
            service: service, connecting: reading.connecting, minimum: reading.minimum,
            clients: reading.rows.map { row in
                Client(verdict: WatchedState.Stack(row.result.result, of: row.result.client.name), share: row.share)
            })
    }

    /// Returns the name of a client's verdict, which no stack has.
    static func name(_ client: String, of service: String?) -> String {
        [service, "client", client].compactMap(\.self).joined(separator: " ")
    }

    /// The clients' verdicts by such names.
    fileprivate var named: [WatchedState.Stack] {
        clients.map { client in
            let verdict = client.verdict
            return WatchedState.Stack(
                name: Self.name(verdict.name, of: service),
                outcome: verdict.outcome, code: verdict.code, message: verdict.message, fix: verdict.fix,
                outcomeClass: verdict.outcomeClass)
        }
    }
}

extension WatchedState.Forecast {
    fileprivate init(_ row: ForecastRow) {
        self.init(
            service: row.service, event: row.event, date: row.date, frequency: row.frequency, platform: row.platform,
            result: row.result, reason: row.reason)
    }
}

extension WatchedState.Stack {
    /// Its part that counts as a change.
    fileprivate var status: WatchStatus { WatchStatus(outcome, code: code, class: outcomeClass) }

    fileprivate init(_ result: ProbeResult) {
        self.init(
            result,
            of: Self.name(
                result.evidence.connection?.transport.name, result.evidence.model?.resolver.name, of: result.service))
    }

    /// Returns the name of the verdict of a transport, a resolver or both.
    static func name(_ transport: String?, _ resolver: String?, of service: String?) -> String {
        let stack = [transport, resolver].compactMap(\.self).joined(separator: "+")
        return service.map { "\($0) \(stack)" } ?? stack
    }

    fileprivate init(_ result: ProbeResult, of name: String) {
        let finding = result.verdict.decidingFinding
        self.init(
            name: name, outcome: result.verdict.outcome,
            code: finding?.code, message: finding?.message, fix: finding?.fix,
            outcomeClass: result.verdict.outcomeClass)
    }
}
