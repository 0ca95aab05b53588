public import ProbePlatform

/// A rule for the evidence: a pure function to findings, which never throws and never looks anything up.
public protocol Policy: Sendable {
    /// Returns the findings for this evidence.
    ///
    /// - Parameters:
    ///   - evidence: the facts; a policy whose facts are missing returns nothing, since an earlier stage has reported
    ///     why.
    ///   - instant: the clock's instant, for rules that depend on it.
    /// - Returns: findings in reading order; an empty list means satisfied.
    func judge(_ evidence: Evidence, at instant: Date) -> [Finding]
}

/// Composes policies in the order they are written; all of them must be satisfied.
@resultBuilder
public struct PolicyBuilder: Sendable {
    /// Returns one policy.
    public static func buildExpression(_ policy: some Policy) -> [any Policy] { [policy] }
    /// Returns one policy of a kind that is known only when it runs.
    public static func buildExpression(_ policy: any Policy) -> [any Policy] { [policy] }
    /// Returns several policies in order.
    public static func buildBlock(_ parts: [any Policy]...) -> [any Policy] { parts.flatMap(\.self) }
    /// Returns a policy that is there or not.
    public static func buildOptional(_ part: [any Policy]?) -> [any Policy] { part ?? [] }
    /// Returns one of two policies.
    public static func buildEither(first part: [any Policy]) -> [any Policy] { part }
    /// Returns the other of two policies.
    public static func buildEither(second part: [any Policy]) -> [any Policy] { part }
    /// Returns a policy for each element.
    public static func buildArray(_ parts: [[any Policy]]) -> [any Policy] { parts.flatMap(\.self) }
}

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

/// A finding that is known before anything is sent, like a profile without pins for a host.
package struct Announced: Policy {
    private let finding: Finding

    /// Always finds this.
    package init(_ finding: Finding) {
        self.finding = finding
    }

    /// Returns the finding, whatever the evidence.
    package func judge(_ evidence: Evidence, at instant: Date) -> [Finding] { [finding] }
}
