import ArgumentParser
import Foundation
import Mutation

/// `mutants run`: the tests on each mutant, and the page.
struct Run: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Run the tests that reach each mutant.")

    @OptionGroup var scratch: Scratch
    @Option(help: "The built test program.") var program: String
    @Option(help: "A pattern of the suites to run, MODULE.SUITE.") var suites: String
    @Option(help: "A pattern of suites to leave out.") var skip: String?
    @Option(help: "A diff without context: only mutants of changed lines are run.") var changed: String?
    @Option(help: "Mutants that no test can notice, as JSON.") var equivalents: String?
    @Option(help: "The file that keeps the answers; what it has as noticed is not run again.") var kept: String
    @Option(help: "A sentence for the page: when, and of what.") var about = ""
    @Option(help: "The page to write.") var output: String
    @Flag(help: "Run nothing, and write the page of the answers that are kept.") var pageOnly = false
    @Option(help: "The percentage that has to be noticed.") var least = 0
    @Option(help: "How many mutants are run at once.") var workers = ProcessInfo.processInfo.activeProcessorCount

    func run() async throws {
        var mutants = try scratch.mutants()
        let count = mutants.map(\.id).max() ?? 0
        if let changed {
            let lines = ChangedLines(diff: try String(contentsOfFile: changed, encoding: .utf8))
            mutants = mutants.filter(lines.contains)
        }
        let known = try equivalents.map {
            try JSONDecoder().decode([EquivalentMutant].self, from: Data(contentsOf: URL(filePath: $0)))
        }
        var outcomes = try KeptOutcomes(URL(filePath: kept))
        let left = mutants.filter { mutant in
            !(outcomes[mutant]?.isKilled ?? false) && !(known ?? []).contains { $0.matches(mutant.name) }
        }
        if pageOnly { mutants = mutants.filter { outcomes[$0] != nil } }
        if !left.isEmpty, !pageOnly {
            let tests = TestProgram(URL(filePath: program), in: scratch.root)
            let names = try await tests.suites(matching: Regex(suites), skipping: skip.map { try Regex($0) })
            let run = try await MutantRun(tests, suites: names, count: count)
            if !run.broken.isEmpty { note("fail without a mutant: \(run.broken.joined(separator: ", "))") }
            try await withThrowingTaskGroup(of: (Mutant, MutantOutcome).self) { group in
                var rest = left[...]
                for _ in 0..<max(1, workers) {
                    if let mutant = rest.popFirst() { group.addTask { (mutant, try await run.outcome(of: mutant)) } }
                }
                while let (mutant, outcome) = try await group.next() {
                    try outcomes.add(outcome, to: mutant)
                    if let next = rest.popFirst() { group.addTask { (next, try await run.outcome(of: next)) } }
                    if outcome.isKilled { continue }
                    let name = mutant.name
                    note("\(name.file):\(mutant.line): \(name.kind.rawValue): \(name.original) -> \(name.mutated)")
                }
            }
        }
        let table = MutantTable(
            mutants.map { ($0, outcomes[$0] ?? .unreached) }, equivalents: known ?? [], about: about)
        try table.markdown.write(toFile: output, atomically: true, encoding: .utf8)
        print(table.summary)
        if table.percentage < Double(least) { throw ExitCode.failure }
    }

    /// Reports at once what takes long to come.
    private func note(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
