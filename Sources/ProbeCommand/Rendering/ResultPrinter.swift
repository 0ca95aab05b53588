import ArgumentParser
import ProbeKit
import ProbeReport
import ProbeRun

/// Prints results as they come if the format allows it, and returns the exit code.
struct ResultPrinter {
    private let format: OutputFormat
    private var results: [ProbeResult] = []
    private var outcomes: [Outcome] = []

    init(format: OutputFormat) {
        self.format = format
    }

    /// Takes the results of one target.
    mutating func add(_ new: [ProbeResult]) {
        outcomes += new.map(\.verdict.outcome)
        switch format {
        case .text: Terminal.print(TextReport(style: Style(isColoured: Terminal.wantsColour)).text(new))
        case .json: for result in new { Terminal.print(ReportLine(result).json) }
        case .junit, .sarif: results += new
        }
    }

    /// Prints the output that has to come in one piece.
    ///
    /// - Throws: the exit code, unless every result passes.
    func finish() throws {
        switch format {
        case .text, .json: break
        case .junit: Terminal.print(JUnitReport(results).xml)
        case .sarif: Terminal.print(JSONText.line(SARIFReport(results)))
        }
        let outcome = Outcome.deciding(among: outcomes)
        if !outcome.isPass { throw ExitCode(outcome.exitCode) }
    }
}
