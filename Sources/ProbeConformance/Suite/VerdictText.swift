import ProbeKit

extension Verdict {
    /// What was seen, for the description of a broken promise.
    var text: String {
        guard let finding = decidingFinding else { return outcome.rawValue }
        return "\(outcome.rawValue), \(finding.code): \(finding.message)"
    }
}
