import ArgumentParser
import ProbeKit

/// The output format for verdicts: for terminals, scripts, CI servers and code scanners.
struct OutputOptions: ParsableArguments {
    @Option(help: ArgumentHelp("text, json (one object a line), junit or sarif.", valueName: "format"))
    var format: String = OutputFormat.text.rawValue

    @Flag(help: "Print all findings and the evidence, and not only what fits on a screen.")
    var verbose = false

    @OptionGroup var log: LogOptions

    /// How verdicts are printed.
    struct Chosen {
        let format: OutputFormat
        let isVerbose: Bool
    }

    func chosen() throws(InputError) -> Chosen {
        let format = try OutputFormat(named: format, among: OutputFormat.allCases)
        guard format == .text || !verbose else {
            throw InputError(
                "--verbose is for text, and --format \(format.rawValue) has everything", remedy: "leave it out")
        }
        return Chosen(format: format, isVerbose: verbose)
    }
}
