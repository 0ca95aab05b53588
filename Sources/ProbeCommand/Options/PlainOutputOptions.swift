import ArgumentParser
import ProbeKit

/// The output format for results that are not verdicts: for terminals and scripts.
struct PlainOutputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("text, or json (one object a line).", valueName: "format"))
    var format: String = OutputFormat.text.rawValue

    @OptionGroup var log: LogOptions

    func chosen() throws(InputError) -> OutputFormat { try OutputFormat(named: format, among: [.text, .json]) }
}
