import ProbeKit

extension Verdict {
    /// The outcome, with the code and message of the deciding finding.
    var text: String {
        guard let finding = decidingFinding else { return outcome.rawValue }
        return "\(outcome.rawValue), \(finding.code): \(finding.message)"
    }
}
