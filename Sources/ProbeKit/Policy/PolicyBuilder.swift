/// Composes policies in the order they are written; all of them must be satisfied.
@resultBuilder
public struct PolicyBuilder: Sendable {
    /// One policy.
    public static func buildExpression(_ policy: some Policy) -> [any Policy] { [policy] }
    /// One policy of a kind that is known only when it runs.
    public static func buildExpression(_ policy: any Policy) -> [any Policy] { [policy] }
    /// Several policies in order.
    public static func buildBlock(_ parts: [any Policy]...) -> [any Policy] { parts.flatMap(\.self) }
    /// A policy that is there or not.
    public static func buildOptional(_ part: [any Policy]?) -> [any Policy] { part ?? [] }
    /// One of two policies.
    public static func buildEither(first part: [any Policy]) -> [any Policy] { part }
    /// The other of two policies.
    public static func buildEither(second part: [any Policy]) -> [any Policy] { part }
    /// A policy for each element.
    public static func buildArray(_ parts: [[any Policy]]) -> [any Policy] { parts.flatMap(\.self) }
}
