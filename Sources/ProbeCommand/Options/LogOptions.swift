import ArgumentParser
import Logging

/// The log level; logs go to standard error.
struct LogOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Log to standard error: none, warning, info or debug.", valueName: "level"))
    var logLevel: String = "warning"

    private static let levels: [String: Logger.Level] = ["warning": .warning, "info": .info, "debug": .debug]

    /// Takes effect as soon as it is read, whatever the command.
    mutating func validate() throws {
        guard logLevel == "none" || Self.levels[logLevel] != nil else {
            throw ValidationError("--log-level '\(logLevel)' is unknown; choose none, warning, info or debug")
        }
        StandardErrorLog.threshold = Self.levels[logLevel]
    }
}
