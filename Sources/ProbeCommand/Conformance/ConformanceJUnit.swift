import ProbeConformance
import ProbeKit

/// A run of the suite as JUnit XML: a suite for each backend of a table, a case for each of its promises.
struct ConformanceJUnit {
    private let report: ConformanceReport

    init(_ report: ConformanceReport) {
        self.report = report
    }

    var xml: String {
        let tables = [report.tls, report.dns, report.signatures]
        return JUnitDocument(name: "probe conformance", suites: tables.flatMap(suites)).xml
    }

    private func suites(_ cases: [ConformanceReport.Case]) -> [JUnitDocument.Suite] {
        var backends: [String] = []
        for cell in cases.flatMap(\.cells) where !backends.contains(cell.backend) { backends.append(cell.backend) }
        return backends.map { backend in
            JUnitDocument.Suite(
                name: backend,
                cases: cases.flatMap { row in
                    row.cells.filter { $0.backend == backend }.map { testCase(row, $0) }
                })
        }
    }

    private func testCase(_ row: ConformanceReport.Case, _ cell: ConformanceReport.Cell) -> JUnitDocument.Case {
        let broken = cell.failure.map { failure in
            JUnitDocument.Case.Problem(
                isError: cell.isFault, type: cell.outcome?.rawValue ?? "not-played",
                message: "\(cell.outcome?.rawValue ?? "not played") instead of \(cell.expected.rawValue)", text: failure
            )
        }
        // Differences between backends that all behave as expected are reported nowhere else.
        let difference = row.isDifferent && cell.deviation == nil ? different(row, cell) : nil
        return JUnitDocument.Case(
            name: row.id, group: cell.backend, seconds: cell.duration.inSeconds, problem: broken ?? difference,
            notes: cell.deviation.map { "\(cell.expected.rawValue), as is known: \($0)" } ?? "")
    }

    private func different(
        _ row: ConformanceReport.Case, _ cell: ConformanceReport.Cell
    ) -> JUnitDocument.Case.Problem {
        let all = row.cells.map { "\($0.backend): \($0.outcome?.rawValue ?? "not played")" }.joined(separator: ", ")
        return .init(
            isError: false, type: "different", message: "the backends differ",
            text: "\(row.id): \(row.sentence) [\(row.source)] Seen: \(all)")
    }
}
