public import ProbeKit
public import ProbePlatform

/// Reports that an alternate stands in for the target (requirement 49): the verdict is the alternate's, and the target
/// may be down.
public struct AlternateUsed: Policy {
    /// Creates the policy; it has no settings.
    public init() {}

    /// Returns a note that names the targets tried before, with the reasons; nothing if the target itself answered.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let attempts = evidence.connection?.attempts, attempts.count > 1, let last = attempts.last else {
            return []
        }
        let failed = attempts.compactMap { attempt in
            attempt.failure.map { "\(attempt.target) (\($0.code.rawValue))" }
        }.joined(separator: ", ")
        return last.failure == nil
            ? [.note("alternate-used", stage: .connect, "\(last.target) stands in: no answer from \(failed)")]
            : [.note("alternates-failed", stage: .connect, "no answer from any: \(failed)")]
    }
}
