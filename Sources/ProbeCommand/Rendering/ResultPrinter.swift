import ArgumentParser
import ProbeKit
import ProbePlatform
import ProbeReport
import ProbeRun

/// Prints results as they come if the format allows it, and returns the exit code.
struct ResultPrinter {
    private let format: OutputFormat
    private let isVerbose: Bool
    /// The file that says what is checked.
    private let source: String?
    private var results: [ProbeResult] = []
    private var outcomes: [Outcome] = []
    private let failsOnWarning: Bool
    private var leftOut = RunNotes()

    /// - Parameter failsOnWarning: true if a warning fails as a policy of the user's own does.
    init(_ output: OutputOptions.Chosen, source: String? = nil, failsOnWarning: Bool = false) {
        self.failsOnWarning = failsOnWarning
        format = output.format
        isVerbose = output.isVerbose
        self.source = source
    }

    /// Takes the results of one target.
    mutating func add(_ new: [ProbeResult]) {
        outcomes += new.map(\.verdict.outcome)
        if !format.showsNotes { leftOut.report(new.flatMap(\.verdict.findings)) }
        switch format {
        case .text:
            let report = TextReport(
                style: Style(isColoured: Terminal.wantsColour), isVerbose: isVerbose, columns: Terminal.columns,
                hint: "--verbose shows")
            Terminal.print(report.text(new))
        case .json: for result in new { Terminal.print(ReportLine(result).json) }
        case .csv:
            if results.isEmpty { Terminal.print(CSVLine.header + "\r") }
            for result in new { Terminal.print(CSVLine(result).text + "\r") }
            results += new.prefix(1)
        case .junit, .sarif, .nagios: results += new
        }
    }

    /// Prints the output of a format that has to come in one piece, whatever the outcome.
    func printWhole() {
        switch format {
        case .text, .json, .csv: break
        case .junit: Terminal.print(JUnitReport(results, failsOnWarning: failsOnWarning).xml)
        case .nagios: Terminal.print(NagiosReport(results).text)
        case .sarif:
            let environment = ProcessInfo.processInfo.environment
            let source =
                source.flatMap { SARIFSource(file: $0, environment: environment) }
                ?? SARIFSource(workflowOf: environment)
            Terminal.print(SARIFReport(results, source: source, tool: .probe).json)
        }
    }

    /// Prints the output that has to come in one piece.
    ///
    /// - Throws: the exit code, unless every result passes; that of a Nagios plugin where that is the format.
    func finish() throws {
        printWhole()
        if format == .nagios {
            let state = NagiosReport(results).state
            if state != .ok { throw ExitCode(state.rawValue) }
            return
        }
        let outcome = Outcome.deciding(among: outcomes)
        if !outcome.isPass { throw ExitCode(outcome.exitCode) }
        if failsOnWarning, outcome == .passWithWarnings { throw ExitCode(Outcome.policyFailed.exitCode) }
    }
}
