/// One small change of the code, which a number switches on.
public struct Mutant: Codable, Hashable, Sendable {
    /// The ways in which a condition or a value is made wrong.
    public enum Kind: String, Codable, CaseIterable, Sendable {
        /// A comparison with its edge moved, or with another direction.
        case comparison
        /// A condition that holds if it should not.
        case negation
        /// One of several conditions left out.
        case dropped
        /// Two arguments or operands in the other order.
        case swapped
        /// Another number, or the other truth value.
        case constant
        /// A function that gives up before it looks.
        case earlyReturn = "early return"
        /// A collection with an element less.
        case removed
    }

    /// The number that switches it on; the first is 1.
    public let id: Int
    /// The file, relative to the checkout.
    public let file: String
    /// The line in the original file.
    public let line: Int
    /// The way in which the code is wrong.
    public let kind: Kind
    /// The code as it is, on one line.
    public let original: String
    /// The code that stands in for it, on one line.
    public let mutated: String
}
