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

    /// The name by which a mutant is found again when lines have moved and numbers were given anew.
    public struct Name: Codable, Hashable, Sendable {
        /// The file, relative to the checkout.
        public let file: String
        /// The way in which the code is wrong.
        public let kind: Kind
        /// The line that it begins in, without indentation.
        public let context: String
        /// The code as it is, on one line.
        public let original: String
        /// The code that stands in for it, on one line.
        public let mutated: String
        /// The number of equal mutants before it in the file.
        public var before = 0
    }

    /// The number that switches it on; the first is 1.
    public let id: Int
    /// The line in the original file.
    public let line: Int
    /// Its identity, independent of its line.
    public let name: Name
}
