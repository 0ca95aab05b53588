import ProbeKit
import ProbeReport
import ProbeRun

/// The form of a scan's lines.
public enum ScanFormat: String, CaseIterable, Sendable {
    /// An object a line, by the schema `probe/1` with the key `scan`.
    case json
    /// A record a line, after ``header``.
    case csv

    /// The line before all others, without its line break; nil if there is none.
    public var header: String? {
        switch self {
        case .json: nil
        case .csv: ScanCSV.header
        }
    }

    /// Returns the line of a result.
    func line(_ result: ProbeResult, _ place: ScanLine.Place) -> String {
        switch self {
        case .json: ScanLine(report: ReportLine(result), place: place).json
        case .csv: ScanCSV.line(result, place)
        }
    }

    /// Returns the line of an item of the list that names no target.
    func line(_ malformed: MalformedTarget) -> String {
        let line = MalformedLine(malformed)
        return switch self {
        case .json: JSONText.line(line)
        case .csv: ScanCSV.line(line)
        }
    }
}
