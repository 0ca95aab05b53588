/// A user's input that can't be used: the message names the input, the remedy says what to write instead.
///
/// On the command line it ends with exit code 64 (usage), 65 (a file's content) or 15 (a file's signature).
public struct InputError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The origin of the bad input; it decides between the exit codes.
    public enum Source: Sendable {
        /// An argument or option: exit code 64.
        case argument
        /// The content of a file: exit code 65.
        case file
        /// A file that its signature does not cover: exit code 15.
        case signature

        /// The exit code of a run that ends with such an error.
        package var exitCode: Int32 {
            switch self {
            case .argument: 64
            case .file: 65
            case .signature: 15
            }
        }
    }

    /// The fault, naming the input.
    public let message: String
    /// The suggested fix.
    public let remedy: String
    /// The origin of the input.
    public let source: Source

    /// Creates an error about `source`, with the fix. Neither shows the password of a URL, or of `user:password@host`.
    public init(_ message: String, remedy: String, source: Source = .argument) {
        self.message = Self.withoutPasswords(message)
        self.remedy = Self.withoutPasswords(remedy)
        self.source = source
    }

    /// Message and remedy on one line.
    public var description: String { "\(message); \(remedy)" }
}
