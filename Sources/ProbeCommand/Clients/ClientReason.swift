import ProbeClients
import ProbeKit
import ProbeRun

/// A reason not to connect that several clients may have in common.
struct ClientReason: Hashable {
    private let answer: FleetLine.Answer
    private let message: String
    let fix: String

    /// Creates the reason of a client that does not connect.
    init(_ result: ClientResult) {
        let verdict = result.result.verdict
        let finding = verdict.decidingFinding
        answer = FleetLine.Answer(result)
        message = finding?.message ?? verdict.outcome.rawValue
        fix = finding?.fix ?? ""
    }

    /// Returns the end of a sentence that begins with the names of so many clients.
    func words(_ count: Int) -> String { "\(answer.words(count)): \(message)" }

    /// Returns the clients that do not connect, by the reason and in the fleet's order.
    static func groups(_ rows: [FleetReading.Row]) -> [(reason: ClientReason, rows: [FleetReading.Row])] {
        var groups: [(reason: ClientReason, rows: [FleetReading.Row])] = []
        for row in rows where !row.result.connects {
            let reason = ClientReason(row.result)
            if let index = groups.firstIndex(where: { $0.reason == reason }) {
                groups[index].rows.append(row)
            } else {
                groups.append((reason, [row]))
            }
        }
        return groups
    }
}
