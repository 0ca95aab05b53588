import ProbeConformance
import Testing

/// The common parts of all kinds of requirements.
enum Requirement {
    /// Records a broken promise: the promise and its source, the observation, and a way to see more.
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
