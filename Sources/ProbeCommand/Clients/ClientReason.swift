import ProbeClients
import ProbeKit
import ProbeRun

/// A reason not to connect that several clients may have in common.
struct ClientReason: Hashable {
    let answer: FleetLine.Answer
    let message: String
    let fix: String

    /// Creates the reason of a client that does not connect; nil for one that does.
    init?(_ result: ClientResult) {
        guard !result.connects else { return nil }
        let verdict = result.result.verdict
        let finding = verdict.decidingFinding
        answer = FleetLine.Answer(result)
        message = finding?.message ?? verdict.outcome.rawValue
        fix = finding?.fix ?? ""
    }

    /// Returns the end of a sentence that begins with the names of so many clients.
    func words(_ count: Int) -> String { "\(answer.words(count)): \(message)" }
}

extension [FleetReading.Row] {
    /// The clients that do not connect, by the reason.
    var byReason: [(reason: ClientReason, rows: [FleetReading.Row])] {
        grouped { ClientReason($0.result).map { [$0] } ?? [] }.map { ($0, $1) }
    }

    /// The clients that the app's pins do not protect, by the reason.
    var withoutPins: [(finding: Finding, rows: [FleetReading.Row])] {
        grouped { $0.result.result.verdict.findings.filter { $0.code == PlatformPins.code } }.map { ($0, $1) }
    }

    /// The clients' names, each with its share of the users.
    var names: String {
        map { "\($0.result.client.name) (\(FleetShare.text($0.share)) %)" }.joined(separator: ", ")
    }

    /// Groups rows by what they have in common; rows and groups stay in the fleet's order.
    private func grouped<Key: Hashable>(
        by keys: (FleetReading.Row) -> [Key]
    ) -> [(key: Key, rows: [FleetReading.Row])] {
        var groups: [(key: Key, rows: [FleetReading.Row])] = []
        for row in self {
            for key in keys(row) {
                if let index = groups.firstIndex(where: { $0.key == key }) {
                    groups[index].rows.append(row)
                } else {
                    groups.append((key, [row]))
                }
            }
        }
        return groups
    }
}
