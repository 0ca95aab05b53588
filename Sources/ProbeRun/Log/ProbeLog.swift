import Logging

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
