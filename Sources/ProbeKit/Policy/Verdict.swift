/// The findings of a policy, and their single outcome.
public struct Verdict: Hashable, Sendable {
    /// The findings, in the order of the policies.
    public let findings: [Finding]
    /// The outcome of the highest rank among the errors; without errors `pass`, or `pass-with-warnings`.
    public let outcome: Outcome
    /// The stage of the finding that decided; nil if the verdict passes.
    public let stage: Stage?

    /// Creates the verdict of findings.
    public init(_ findings: [Finding]) {
        self.findings = findings
        let errors = findings.filter { $0.severity == .error }
        if errors.isEmpty {
            outcome = findings.contains { $0.severity == .warning } ? .passWithWarnings : .pass
            stage = nil
        } else {
            let decided = Outcome.deciding(among: errors.compactMap(\.outcome))
            outcome = decided
            stage = errors.first { $0.outcome == decided }?.stage
        }
    }

    /// The finding that decided; nil if the verdict passes.
    public var decidingFinding: Finding? {
        findings.first { $0.severity == .error && $0.outcome == outcome }
    }

    /// The finding that explains the outcome: the one that decided, the first warning of `pass-with-warnings`; nil if the
    /// verdict is `pass`.
    public var leadingFinding: Finding? {
        decidingFinding ?? findings.first { $0.severity == .warning }
    }
}
