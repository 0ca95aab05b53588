import ArgumentParser
import ProbeKit

/// How results are printed.
struct OutputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("text, json (one object a line), junit or sarif.", valueName: "format"))
    var format: String = OutputFormat.text.rawValue

    @OptionGroup var log: LogOptions

    /// The format, where the command can print it.
    func format(among allowed: [OutputFormat] = OutputFormat.allCases) throws(InputError) -> OutputFormat {
        guard let format = OutputFormat(rawValue: format), allowed.contains(format) else {
            throw InputError(
                "--format '\(format)' is not printed here",
                remedy: "choose \(allowed.map(\.rawValue).joined(separator: ", "))")
        }
        return format
    }
}
