import ProbeConformance
import Testing

/// The common parts of all kinds of requirements.
enum Requirement {
    /// Records how a promise was broken: what was promised and where that comes from, what was seen, and how to see more.
    static func record(
        _ cell: ConformanceReport.Cell, of id: String, option: String, _ sourceLocation: SourceLocation
    ) {
        guard let failure = cell.failure else { return }
        Issue.record(
            """
            \(cell.backend): \(failure)
            Both sides of it: probe conformance \(option) \(cell.backend) --filter \(id) --format html
            """,
            sourceLocation: sourceLocation)
    }
}
