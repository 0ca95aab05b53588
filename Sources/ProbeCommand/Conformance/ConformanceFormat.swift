import ProbeConformance

/// The forms a run of the suite is written in.
enum ConformanceFormat: String, CaseIterable {
    case text
    case json
    case junit
    case html

    /// Returns a report in this form, without a line break at its end.
    func text(_ report: ConformanceReport) -> String {
        switch self {
        case .text: report.matrix
        case .json: report.lines.joined(separator: "\n")
        case .junit: ConformanceJUnit(report).xml
        case .html: ConformancePage(report).html
        }
    }
}
