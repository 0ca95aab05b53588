import ProbeClients
import ProbeKit
import ProbeReport
import ProbeRun

/// A fleet's reading of one target as one JSON object on one line, in the schema `probe-fleet/1`.
struct FleetLine: Encodable {
    /// The effect on a client's users.
    enum Answer: String, Encodable {
        case connects
        case refuses
        case undecided

        init(_ result: ClientResult) {
            self = result.connects ? .connects : result.isUndecided ? .undecided : .refuses
        }

        /// Returns the verb of a sentence about clients.
        func words(_ count: Int) -> String {
            switch self {
            case .connects: count == 1 ? "connects" : "connect"
            case .refuses: count == 1 ? "refuses" : "refuse"
            case .undecided: count == 1 ? "is not known" : "are not known"
            }
        }
    }

    struct Row: Encodable {
        let client: String
        /// Null where no fleet says it.
        @Always var share: Double?
        let answer: Answer
        let outcome: Outcome
        @Always var stage: Stage?
        let emulated: Bool
        let roots: String
        @Always var code: String?
        @Always var message: String?
        @Always var fix: String?
        let findings: [Finding]
    }

    let schema = "probe-fleet/1"
    let target: String
    @Always var service: String?
    /// The endpoint that was dialled, where each address or family has a line of its own.
    @Always var dialled: String?
    let outcome: Outcome
    let connecting: Double
    let refusing: Double
    let undecided: Double
    @Always var minimum: Double?
    let clients: [Row]

    init(_ check: Check, _ reading: FleetReading) {
        target = check.named.description
        _service = Always(wrappedValue: check.service)
        _dialled = Always(wrappedValue: reading.rows.first?.result.result.dialled?.description)
        outcome = reading.outcome
        connecting = Self.rounded(reading.connecting)
        refusing = Self.rounded(reading.refusing)
        undecided = Self.rounded(reading.undecided)
        _minimum = Always(wrappedValue: reading.minimum)
        clients = reading.rows.map { Row($0, share: $0.share) }
    }

    static func rounded(_ share: Double) -> Double { (share * 10_000).rounded() / 10_000 }
}

extension FleetLine.Row {
    init(_ row: FleetReading.Row, share: Double?) {
        let verdict = row.result.result.verdict
        let deciding = verdict.decidingFinding
        self.init(
            client: row.result.client.name, share: share.map(FleetLine.rounded), answer: FleetLine.Answer(row.result),
            outcome: verdict.outcome, stage: verdict.stage, emulated: row.result.isEmulated,
            roots: row.result.result.evidence.connection?.anchors.name ?? "", code: deciding?.code,
            message: deciding?.message, fix: deciding?.fix, findings: verdict.findings)
    }
}

/// A fleet's reading for people: who does not connect, why, and what to change.
struct FleetText {
    let style: Style

    func text(_ check: Check, _ reading: FleetReading) -> String {
        let title = (check.service.map { "\(PrintableText.escape($0))  " } ?? "") + check.subject
        var lines = [style.bold(title), "  " + style.outcome(reading.outcome, Self.share(reading))]
        for (reason, rows) in reading.rows.byReason {
            lines.append("  \(rows.names) \(reason.words(rows.count))")
            if !reason.fix.isEmpty { lines.append("      fix: \(reason.fix)") }
        }
        for (finding, rows) in reading.rows.withoutPins {
            lines += ["  \(rows.names): \(finding.message)", "      fix: \(finding.fix)"]
        }
        return lines.joined(separator: "\n")
    }

    /// Returns the share that connects, the one that has to, and the one of which nothing is known.
    static func share(_ reading: FleetReading) -> String {
        var words = "\(FleetShare.text(reading.connecting)) % of your users connect"
        if let minimum = reading.minimum { words += ", and \(FleetShare.text(minimum)) % have to" }
        if reading.undecided > 0 { words += "; of \(FleetShare.text(reading.undecided)) % it is not known" }
        return words
    }
}
