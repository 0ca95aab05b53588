import Foundation
import ProbeBench
import ProbeKit

/// The figures of a bench as a text table.
enum BenchText {
    static func table(_ lines: [BenchLine]) -> String {
        TextTable(
            columns: ["BENCH", "SUBJECT", "LIBRARY", "VALUE", "FLOOR", "UNIT", "RATIO", "TARGET", "MET"],
            rows: lines.map { line in
                [
                    line.bench, line.subject, line.library, number(line.value), number(line.floor), line.unit,
                    number(line.ratio), line.goal ?? "-", line.met.map { $0 ? "yes" : "no" } ?? "-",
                ]
            }
        ).text
    }

    private static func number(_ number: Double?) -> String {
        guard let number else { return "-" }
        return number >= 1000 ? String(format: "%.0f", number) : String(format: "%.2f", number)
    }
}
