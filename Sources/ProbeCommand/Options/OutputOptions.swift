import ArgumentParser
import Logging
import ProbeKit

/// The forms results are printed in.
enum OutputFormat: String, CaseIterable {
    case text
    case json
    case junit
    case sarif
    case nagios
    case csv

    /// True if notes have a place in it.
    var showsNotes: Bool { self == .text || self == .json || self == .junit }

    /// Creates the format of `--format`, if the command can print it.
    init(named name: String, among allowed: [OutputFormat]) throws(InputError) {
        guard let format = OutputFormat(rawValue: name), allowed.contains(format) else {
            throw InputError(
                "--format '\(name)' is not printed here",
                remedy: "choose \(allowed.map(\.rawValue).joined(separator: ", "))")
        }
        self = format
    }
}

/// The output format for verdicts: for terminals, scripts, CI servers, code scanners and Nagios.
struct OutputOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            text, json (one object a line), csv, junit, sarif, or nagios with a plugin's exit codes; text when not given.
            """, valueName: "format"), completion: .words(of: OutputFormat.self))
    var format: String?

    @Flag(help: "Print all findings and the evidence, and not only what fits on a screen.")
    var verbose = false

    @OptionGroup var log: LogOptions

    /// The format in which verdicts are printed.
    struct Chosen {
        let format: OutputFormat
        let isVerbose: Bool
    }

    func chosen() throws(InputError) -> Chosen {
        let format = try OutputFormat(named: format ?? OutputFormat.text.rawValue, among: OutputFormat.allCases)
        guard format == .text || !verbose else {
            throw InputError(
                "--verbose is for text, and --format is \(format.rawValue)",
                remedy: "leave one of the two out: json has everything")
        }
        return Chosen(format: format, isVerbose: verbose)
    }
}

/// The output format for results that are not verdicts: for terminals and scripts.
struct PlainOutputOptions: ParsableArguments {
    private static let formats: [OutputFormat] = [.text, .json]

    @Option(
        help: ArgumentHelp("text, or json (one object a line); text when not given.", valueName: "format"),
        completion: .list(Self.formats.map(\.rawValue)))
    var format: String?

    @OptionGroup var log: LogOptions

    func chosen() throws(InputError) -> OutputFormat {
        try OutputFormat(named: format ?? OutputFormat.text.rawValue, among: Self.formats)
    }
}

/// The log level; logs go to standard error.
struct LogOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Log to standard error: none, warning, info or debug.", valueName: "level"),
        completion: .list(["none"] + Self.levels.keys.sorted()))
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
