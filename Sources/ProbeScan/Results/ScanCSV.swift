import ProbeKit
import ProbeReport
import ProbeRun

/// The lines of a scan as CSV: the columns of a result, and its position.
enum ScanCSV {
    /// The header, with its carriage return.
    static let header = CSVLine.text(CSVLine.columns + ["id", "dialled", "result", "results"]) + "\r"

    /// Returns the line of a result.
    static func line(_ result: ProbeResult, _ place: ScanLine.Place) -> String {
        let values = CSVLine(result).values
        return CSVLine.text(values + [place.id, place.dialled ?? "", "\(place.result)", "\(place.results)"]) + "\r"
    }

    /// Returns the line of an item of the list that names no target: what it is, and why.
    static func line(_ malformed: MalformedLine) -> String {
        let known = [
            "target": malformed.target, "outcome": malformed.outcome,
            "exit_code": "\(InputError.Source.file.exitCode)", "message": malformed.message, "fix": malformed.fix,
        ]
        return CSVLine.text(CSVLine.columns.map { known[$0] ?? "" } + [malformed.id, "", "", ""]) + "\r"
    }
}
