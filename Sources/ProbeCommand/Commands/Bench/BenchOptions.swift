import ArgumentParser
import ProbeBench
import ProbeKit

/// What all benches have in common: how long they measure, and how they print.
struct BenchOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Pairs of measurements for each figure, 1 to 10000.", valueName: "number"))
    var rounds = 101

    @OptionGroup var output: OutputOptions

    /// Runs a bench and prints its lines: as JSON each as soon as it is known, as text in one table.
    func print(_ bench: (_ rounds: Int, _ report: (BenchLine) -> Void) throws -> Void) throws {
        let format = try output.format(among: [.text, .json])
        guard (1...10_000).contains(rounds) else {
            throw InputError("--rounds \(rounds) can't be measured", remedy: "give a number from 1 to 10000")
        }
        var lines: [BenchLine] = []
        try bench(rounds) { line in
            if format == .json { Terminal.print(JSONText.line(line)) } else { lines.append(line) }
        }
        if format == .text { Terminal.print(BenchText.table(lines)) }
    }
}
