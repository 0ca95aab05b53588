/// A user's input that can't be used: the message names the input, the remedy says what to write instead.
///
/// On the command line it ends with exit code 64 (usage) or 65 (a file's content).
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The origin of the bad input; it decides between the two exit codes.
    public enum Source: Sendable {
        /// An argument or option: exit code 64.
        case argument
        /// The content of a file: exit code 65.
        case file
    }

    /// The fault, naming the input.
    public let message: String
    /// The suggested fix.
    public let remedy: String
    /// The origin of the input.
    public let source: Source

    /// Creates an error about `source`, with the fix.
    public init(_ message: String, remedy: String, source: Source = .argument) {
        self.message = message
        self.remedy = remedy
        self.source = source
    }

    /// Message and remedy on one line.
    public var description: String { "\(message); \(remedy)" }
}
