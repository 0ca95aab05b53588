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
