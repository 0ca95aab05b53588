import ProbeClients
import ProbeKit
import ProbeProfiles
import ProbeReport
import ProbeRun

/// The answer to one request: metrics, and what a person reads of how they came about.
struct ProbeAnswer: Sendable {
    var metrics = MetricSet()
    var isSuccess = true
    /// The steps, in order.
    private(set) var steps: [String] = []
    /// The results of all stacks, service by service.
    private(set) var results: [ProbeResult] = []
    /// The readings of a fleet, by service.
    private(set) var fleets: [(service: String?, reading: FleetReading)] = []
    /// The checks whose server proved its chain, with that connection.
    private(set) var proven: [(check: Check, connection: ConnectionEvidence)] = []
    /// The days to come for a fleet, by service.
    private(set) var fleetForecasts: [(service: String?, forecast: FleetForecast)] = []
    /// The next changes of the servers' certificates, and what each does to clients.
    var forecast: [ForecastRow] = []

    /// The reasons that no stack has, like a name without an address.
    private(set) var failures: [String] = []

    /// The reason why this process could not look a name up.
    private var shortage: String?

    /// The reason for which a verdict is missing: this process was late with its own work, or short of means for it, for a name, a
    /// stack or a client. Nil if there is a verdict.
    var lateness: String? {
        if let shortage { return shortage }
        let late = allResults.first { $0.verdict.outcome == .localOverload }
        return late.map { $0.verdict.decidingFinding?.message ?? $0.subject }
    }

    /// The results of stacks and of clients.
    private var allResults: [ProbeResult] { results + fleets.flatMap(\.reading.rows).map(\.result.result) }

    /// Returns true if a server is blamed for time that the probe waited for a place, by the rule for a process that is late.
    func wouldBlame(afterWaiting waited: Duration, of limit: Duration) -> Bool {
        allResults.contains { result in
            if let failure = result.evidence.connection?.report.failure,
                failure.attributed(lost: waited, of: limit).code != failure.code
            {
                return true
            }
            guard case .indeterminate(.unanswered(let failure)) = result.evidence.model?.deciding?.reading else {
                return false
            }
            return failure.attributed(lost: waited, of: limit).code != failure.code
        }
    }

    /// Adds a step.
    mutating func note(_ step: String) { steps.append(PrintableText.escape(step)) }

    /// Adds a failure, which decides.
    mutating func fail(_ reason: String) {
        isSuccess = false
        failures.append(PrintableText.escape(reason))
        note(reason)
    }

    /// Adds a failure to find an address, which decides.
    mutating func fail(_ failure: HandshakeFailure) {
        if failure.code == .localOverload { shortage = Self.words(failure) }
        fail(Self.words(failure))
    }

    /// Returns a failure with the reason behind it.
    static func words(_ failure: HandshakeFailure) -> String {
        failure.message + (failure.nativeCode.map { " (\($0))" } ?? "")
    }

    /// Adds the results of one service.
    mutating func add(_ results: [ProbeResult]) {
        self.results += results
        ResultMetrics.add(results, to: &metrics)
        for result in results {
            if !result.verdict.outcome.isPass { isSuccess = false }
            steps.append(ReportLine(result).json)
        }
        if results.isEmpty { fail("no stack was asked") }
    }

    /// Adds the connection of a check, if its server proved its chain.
    mutating func add(_ connection: ConnectionEvidence?, of check: Check) {
        if let connection, connection.report.isProven { proven.append((check, connection)) }
    }

    /// Adds the days to come for a fleet, which decide nothing today.
    mutating func add(_ forecast: FleetForecast, of service: String?) {
        fleetForecasts.append((service, forecast))
        FleetMetrics.add(forecast, service, to: &metrics)
    }

    /// Adds the reading of a fleet, which decides where it has a minimum.
    mutating func add(_ reading: FleetReading, of service: String?) {
        fleets.append((service, reading))
        FleetMetrics.add(reading, service, to: &metrics)
        for row in reading.rows { steps.append(ReportLine(row.result.result).json) }
        let words = "\(FleetShare.text(reading.connecting)) % of the users connect"
        if let minimum = reading.minimum, !reading.outcome.isPass {
            fail("\(words), and \(FleetShare.text(minimum)) % have to")
        } else {
            note(words)
        }
    }
}
