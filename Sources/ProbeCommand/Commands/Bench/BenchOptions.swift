import ArgumentParser
import Foundation
import ProbeBench
import ProbeKit

/// The options common to all benches: duration and output.
struct BenchOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp("Pairs of measurements for each figure, 1 to 10000.", valueName: "number"),
        transform: OptionNumber.whole(1...10_000, ""))
    var rounds: Int?

    @OptionGroup var output: PlainOutputOptions

    /// Runs a bench and prints its lines: in JSON, each as soon as it is known; in text, as one table.
    ///
    /// - Parameter rounds: the default number of pairs.
    func print(
        rounds byDefault: Int = 101, _ bench: (_ rounds: Int, _ report: (BenchLine) -> Void) async throws -> Void
    ) async throws {
        let format = try output.chosen()
        let rounds = rounds ?? byDefault
        var lines: [BenchLine] = []
        try await bench(rounds) { line in
            if format == .json { Terminal.print(JSONText.line(line)) } else { lines.append(line) }
        }
        if format == .text { Terminal.print(BenchText.table(lines)) }
    }
}

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
