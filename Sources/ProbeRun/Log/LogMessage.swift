import ProbeKit

/// A message in which every value is public by its type, marked public, or left out.
///
///     "\(target) answered \(outcome)"          types that are public everywhere: PublicInLogs
///     "reading \(public: path)"                text that the writer vouches for
///     "with \(private: header)"                <redacted>
///
/// Plain text can't be interpolated: the compiler asks which of the two it is.
public struct LogMessage: Sendable, ExpressibleByStringInterpolation, CustomStringConvertible {
    /// Collects the pieces.
    public struct StringInterpolation: StringInterpolationProtocol, Sendable {
        fileprivate var text = ""

        /// Creates an empty message.
        public init(literalCapacity: Int, interpolationCount: Int) {}

        /// Appends text of the program itself.
        public mutating func appendLiteral(_ literal: String) { text += literal }

        /// Appends a value whose type is public.
        public mutating func appendInterpolation(_ value: some PublicInLogs) { text += value.logText }

        /// Appends a value that is public here.
        public mutating func appendInterpolation(public value: some CustomStringConvertible) {
            text += value.description
        }

        /// Appends a placeholder for a private value; the value is not even read.
        public mutating func appendInterpolation<Value>(private value: Value) { text += Redacted<Value>.text }
    }

    /// The message with peers' text made fit to print.
    public let text: String

    /// The message as text.
    public var description: String { text }

    /// Creates a message from text of the program itself.
    public init(stringLiteral value: String) { text = value }

    /// Creates a message from its pieces.
    public init(stringInterpolation: StringInterpolation) { text = PrintableText.escape(stringInterpolation.text) }
}
