/// What a person gave us can't be used: the message names the input, the remedy what to write instead.
///
/// On the command line it ends with exit code 64 (usage) or 65 (a file's content).
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Where the bad input came from; it decides between the two exit codes.
    public enum Source: Sendable {
        /// An argument or option: exit code 64.
        case argument
        /// The content of a file: exit code 65.
        case file
    }

    /// What is wrong, naming the input.
    public let message: String
    /// What to do instead.
    public let remedy: String
    /// Where the input came from.
    public let source: Source

    /// An error about `source`, with the remedy a person can act on.
    public init(_ message: String, remedy: String, source: Source = .argument) {
        self.message = message
        self.remedy = remedy
        self.source = source
    }

    /// Message and remedy on one line.
    public var description: String { "\(message); \(remedy)" }
}
