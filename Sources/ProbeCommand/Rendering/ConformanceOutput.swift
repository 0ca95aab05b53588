import ProbeConformance
import ProbeKit
import ProbeReport
import Synchronization

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
                message: cell.outcome == cell.expected
                    ? "\(cell.expected.rawValue), but not as promised"
                    : "\(cell.outcome?.rawValue ?? "not played") instead of \(cell.expected.rawValue)",
                text: failure)
        }
        // Differences between backends that all behave as expected are reported nowhere else.
        let difference = row.isDifferent && cell.deviation == nil ? different(row) : nil
        return JUnitDocument.Case(
            name: row.id, group: cell.backend, seconds: cell.duration.inSeconds, problem: broken ?? difference,
            notes: cell.deviation.map { "\(cell.expected.rawValue), as is known: \($0)" } ?? "")
    }

    private func different(_ row: ConformanceReport.Case) -> JUnitDocument.Case.Problem {
        let all = row.cells.map { "\($0.backend): \($0.outcome?.rawValue ?? "not played")" }.joined(separator: ", ")
        return .init(
            isError: false, type: "different", message: "the backends differ",
            text: "\(row.id): \(row.sentence) [\(row.source)] Seen: \(all)")
    }
}

/// A progress line: how much of the suite is done, and how many cells are broken so far.
final class ConformanceProgress: Sendable {
    private let broken = Mutex(0)

    /// The callback after each cell; nil if standard error is not a terminal.
    static var onTerminal: (@Sendable (ConformanceSuite.Progress) async -> Void)? {
        guard Terminal.canShowProgress else { return nil }
        let progress = ConformanceProgress()
        return { Terminal.showProgress(progress.line($0)) }
    }

    /// Returns a line like `████████····  120/240  2 broken  gnutls  tls/pins/spki-leaf`, in less than 80 columns.
    func line(_ progress: ConformanceSuite.Progress) -> String {
        let count = broken.withLock { count in
            if progress.cell.failure != nil { count += 1 }
            return count
        }
        let width = 24
        let filled = progress.total == 0 ? width : width * progress.done / progress.total
        let bar = String(repeating: "█", count: filled) + String(repeating: "·", count: width - filled)
        let parts = [
            bar, "\(progress.done)/\(progress.total)", count == 0 ? "" : "\(count) broken", progress.cell.backend,
            progress.id,
        ]
        return String(parts.filter { !$0.isEmpty }.joined(separator: "  ").prefix(79))
    }
}
