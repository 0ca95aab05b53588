import ArgumentParser
import ProbeKit

/// The output format for verdicts: for terminals, scripts, CI servers and code scanners.
struct OutputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("text, json (one object a line), junit or sarif.", valueName: "format"))
    var format: String = OutputFormat.text.rawValue

    @OptionGroup var log: LogOptions

    func chosen() throws(InputError) -> OutputFormat {
        try OutputFormat(named: format, among: OutputFormat.allCases)
    }
}
