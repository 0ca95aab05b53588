import ProbeClients
import ProbeKit
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
        let share: Double
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
        target = check.target.description
        _service = Always(wrappedValue: check.service)
        _dialled = Always(wrappedValue: reading.rows.first?.result.result.dialled?.description)
        outcome = reading.outcome
        connecting = Self.rounded(reading.connecting)
        refusing = Self.rounded(reading.refusing)
        undecided = Self.rounded(reading.undecided)
        _minimum = Always(wrappedValue: reading.minimum)
        clients = reading.rows.map { row in
            let verdict = row.result.result.verdict
            let deciding = verdict.decidingFinding
            return Row(
                client: row.result.client.name, share: Self.rounded(row.share), answer: Answer(row.result),
                outcome: verdict.outcome, stage: verdict.stage, emulated: row.result.isEmulated,
                roots: row.result.result.evidence.connection?.anchors.name ?? "", code: deciding?.code,
                message: deciding?.message, fix: deciding?.fix, findings: verdict.findings)
        }
    }

    private static func rounded(_ share: Double) -> Double { (share * 10_000).rounded() / 10_000 }
}

/// A fleet's reading for people: who does not connect, why, and what to change.
struct FleetText {
    let style: Style

    func text(_ check: Check, _ reading: FleetReading) -> String {
        var first = "\(FleetShare.text(reading.connecting)) % of your users connect"
        if let minimum = reading.minimum { first += ", and \(FleetShare.text(minimum)) % have to" }
        if reading.undecided > 0 { first += "; of \(FleetShare.text(reading.undecided)) % it is not known" }
        let title = (check.service.map { "\(PrintableText.escape($0))  " } ?? "") + check.subject
        var lines = [style.bold(title), "  " + style.outcome(reading.outcome, first)]
        for (reason, rows) in Self.reasons(reading) {
            let names = rows.map { "\($0.result.client.name) (\(FleetShare.text($0.share)) %)" }
            lines.append("  \(names.joined(separator: ", ")) \(reason.answer.words(rows.count)): \(reason.message)")
            if !reason.fix.isEmpty { lines.append("      fix: \(reason.fix)") }
        }
        return lines.joined(separator: "\n")
    }

    /// A reason that several clients may have in common.
    private struct Reason: Hashable {
        let answer: FleetLine.Answer
        let message: String
        let fix: String
    }

    /// The clients that do not connect, by the reason and in the fleet's order.
    private static func reasons(_ reading: FleetReading) -> [(Reason, [FleetReading.Row])] {
        var reasons: [(Reason, [FleetReading.Row])] = []
        for row in reading.rows where !row.result.connects {
            let verdict = row.result.result.verdict
            let finding = verdict.decidingFinding
            let reason = Reason(
                answer: FleetLine.Answer(row.result), message: finding?.message ?? verdict.outcome.rawValue,
                fix: finding?.fix ?? "")
            if let index = reasons.firstIndex(where: { $0.0 == reason }) {
                reasons[index].1.append(row)
            } else {
                reasons.append((reason, [row]))
            }
        }
        return reasons
    }
}
