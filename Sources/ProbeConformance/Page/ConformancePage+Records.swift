import ProbeKit

extension ConformancePage {
    /// A case as the script reads it.
    struct CaseRecord: Encodable {
        let id: String
        let sentence: String
        let source: String
        let expected: Outcome
        @Always var code: String?
        let cells: [CellRecord]

        init(_ row: ConformanceReport.Case) {
            id = row.id
            sentence = row.sentence
            source = row.source
            expected = row.expected
            cells = row.cells.map(CellRecord.init)
            _code = Always(wrappedValue: row.expectedCode)
        }
    }

    /// A cell as the script reads it.
    struct CellRecord: Encodable {
        let backend: String
        @Always var outcome: Outcome?
        let expected: Outcome
        @Always var deviation: String?
        @Always var failure: String?
        let seconds: Double
        @Always var evidence: Shown?

        /// Evidence, or the beginning of it as text, so that the page loads quickly.
        enum Shown: Encodable {
            case whole(ConformanceEvidence)
            case cut(String)

            private static let limit = 1 << 15

            init(_ evidence: ConformanceEvidence) {
                let text = JSONText.line(evidence)
                self = text.utf8.count <= Self.limit ? .whole(evidence) : .cut(String(text.prefix(Self.limit)))
            }

            func encode(to encoder: any Encoder) throws {
                switch self {
                case .whole(let evidence): try evidence.encode(to: encoder)
                case .cut(let text): try ["cut": text].encode(to: encoder)
                }
            }
        }

        init(_ cell: ConformanceReport.Cell) {
            backend = cell.backend
            expected = cell.expected
            seconds = (cell.duration / .seconds(1) * 1000).rounded() / 1000
            _outcome = Always(wrappedValue: cell.outcome)
            _deviation = Always(wrappedValue: cell.deviation)
            _failure = Always(wrappedValue: cell.failure)
            _evidence = Always(wrappedValue: cell.evidence.map(Shown.init))
        }
    }
}
