public import FoundationEssentials

/// Several policies of which each must be satisfied; the findings come in the policies' order.
public struct AllOf: Policy {
    private let policies: [any Policy]

    /// Creates a policy of all that the builder lists.
    public init(@PolicyBuilder _ policies: () -> [any Policy]) {
        self.policies = policies()
    }

    /// Returns the findings of every policy.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        policies.flatMap { $0.judge(evidence, at: instant) }
    }
}
