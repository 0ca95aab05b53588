import ProbeKit

extension ConformanceReport {
    /// One JSON object for each cell, in the order of the matrix; keys are always present.
    public var lines: [String] {
        cases.flatMap { row in row.cells.map { JSONText.line(Line(row, $0)) } }
    }

    private struct Line: Encodable {
        let schema = "probe-conformance/1"
        let id: String
        let sentence: String
        let source: String
        let backend: String
        @Always var outcome: Outcome?
        let expected: Outcome
        let kept: Bool
        @Always var deviation: String?
        @Always var failure: String?
        let seconds: Double

        private enum CodingKeys: String, CodingKey {
            case schema
            case id = "case"
            case sentence, source, backend, outcome, expected, kept, deviation, failure, seconds
        }

        init(_ row: Case, _ cell: Cell) {
            id = row.id
            sentence = row.sentence
            source = row.source
            backend = cell.backend
            _outcome = Always(wrappedValue: cell.outcome)
            expected = cell.expected
            kept = cell.failure == nil
            _deviation = Always(wrappedValue: cell.deviation)
            _failure = Always(wrappedValue: cell.failure)
            seconds = (cell.duration / .seconds(1) * 1000).rounded() / 1000
        }
    }
}
