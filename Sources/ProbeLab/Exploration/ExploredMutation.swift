/// One mutation of an example: a rule, and the numbers that fill in what it leaves open.
public struct ExploredMutation: Hashable, Sendable {
    /// The rule's name, like `leaf/key-usage-empty`.
    public let rule: String
    let seed: UInt64

    /// The most mutations of an example.
    public static let maximum = 4
}

extension SeededNumbers {
    /// Draws mutations that can be applied together, and returns the last example that they make; nil if none applies.
    ///
    /// - Parameters:
    ///   - rules: the names to draw from.
    ///   - make: makes an example with mutations; nil where one of them does not apply.
    mutating func example<Example>(by rules: [String], _ make: ([ExploredMutation]) -> Example?) -> Example? {
        // Of half of the examples one mutation is the whole story.
        let count = [1, 1, 1, 1, 2, 2, 3, ExploredMutation.maximum][below(8)]
        var mutations: [ExploredMutation] = []
        var example: Example?
        for _ in 0..<64 where mutations.count < count {
            let mutation = ExploredMutation(rule: rules[below(rules.count)], seed: next())
            guard !mutations.contains(where: { $0.rule == mutation.rule }) else { continue }
            guard let longer = make(mutations + [mutation]) else { continue }
            (example, mutations) = (longer, mutations + [mutation])
        }
        return example
    }
}
