import Logging
public import ProbeKit

/// Logging that can't leak a secret by mistake (requirement 75): it takes a ``LogMessage``, not a string.
public struct ProbeLog: Sendable {
    private let logger: Logger

    /// Creates the log of a label; the application's swift-log handler decides where it goes.
    public init(_ label: LogLabel) {
        logger = Logger(label: label.rawValue)
    }

    /// Logs a message for following the program's steps.
    public func debug(_ message: @autoclosure () -> LogMessage) { log(.debug, message) }

    /// Logs an ordinary event.
    public func info(_ message: @autoclosure () -> LogMessage) { log(.info, message) }

    /// Logs a message that needs attention.
    public func warning(_ message: @autoclosure () -> LogMessage) { log(.warning, message) }

    private func log(_ level: Logger.Level, _ message: () -> LogMessage) {
        logger.log(level: level, "\(message().text)")
    }
}

/// The labels of log messages (requirement 76), for filtering.
public enum LogLabel: String, Sendable, CaseIterable {
    /// The result of each probe of a target.
    case pinning = "certificate-pinning"
    /// Waiting times and tries.
    case rateLimiter = "RateLimiter"
    /// The result of each model-list query.
    case model = "dns-model"
    /// The watch's rounds and changes.
    case watch
}

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

/// A type whose values are public: names of hosts, hashes, outcomes, numbers (requirement 75).
public protocol PublicInLogs: Sendable {
    /// The value as the log shows it.
    var logText: String { get }
}

extension PublicInLogs where Self: CustomStringConvertible {
    /// The value's description.
    public var logText: String { description }
}

extension Int: PublicInLogs {}
extension Duration: PublicInLogs {}
extension Target: PublicInLogs {}
extension Endpoint: PublicInLogs {}
extension ServerName: PublicInLogs {}
extension DNSName: PublicInLogs {}
extension ModelName: PublicInLogs {}

extension PinDigest: PublicInLogs {
    /// The digest in hex.
    public var logText: String { hex }
}

extension Outcome: PublicInLogs {
    /// The outcome's word.
    public var logText: String { rawValue }
}

extension OutcomeClass: PublicInLogs {
    /// The class's word.
    public var logText: String { rawValue }
}

extension BackendIdentity: PublicInLogs {
    /// The name alone.
    public var logText: String { name }
}

extension Finding: PublicInLogs {
    /// Stage and code, without the message, which quotes peers.
    public var logText: String { "\(stage.rawValue)/\(code)" }
}

extension DoHServer: PublicInLogs {
    /// The URL without credentials and query.
    public var logText: String { LoggedURL(description).logText }
}

/// A URL as logs show it: scheme, host, port and path. The rest may be secret.
public struct LoggedURL: Hashable, Sendable, PublicInLogs {
    /// The URL without user, password, query and fragment.
    public let logText: String

    /// Takes a URL as written, well-formed or not.
    public init(_ url: String) {
        let end = url.firstIndex { $0 == "?" || $0 == "#" || $0 == "{" } ?? url.endIndex
        var shown = url[..<end]
        // Without a scheme, `user:password@host` is meant as a URL.
        let start = shown.firstRange(of: "//")?.upperBound ?? shown.startIndex
        // A password may contain an unescaped '@' or '/': nothing before the last '@' is shown.
        if let at = shown[start...].lastIndex(of: "@") { shown.removeSubrange(start...at) }
        logText = String(shown)
    }
}
