public import ProbeLab

/// An example that a seed and a number make again, and that is made simpler by taking mutations away.
public protocol Explorable: Sendable {
    /// Makes the example with this number.
    init(seed: UInt64, number: Int)
    /// The valid example that it was made from.
    var shape: String { get }
    /// The rules that changed it, in the order they were applied.
    var rules: [String] { get }
    /// The examples that are simpler by one step.
    var simpler: [Self] { get }
}

extension ExploredChain: Explorable {
    /// The names of its mutations' rules.
    public var rules: [String] { mutations.map(\.rule) }
}

extension ExploredReply: Explorable {
    /// The names of its mutations' rules.
    public var rules: [String] { mutations.map(\.rule) }
}
