import ArgumentParser
import ProbeKit

/// How what is no verdict is printed: for people and scripts.
struct PlainOutputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("text, or json (one object a line).", valueName: "format"))
    var format: String = OutputFormat.text.rawValue

    @OptionGroup var log: LogOptions

    func chosen() throws(InputError) -> OutputFormat { try OutputFormat(named: format, among: [.text, .json]) }
}
