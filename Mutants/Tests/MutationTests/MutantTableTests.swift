import Foundation
import Testing

@testable import Mutation

@Suite struct MutantTableTests {
    private static func mutant(_ id: Int, line: Int = 1, _ original: String = "a < b") -> Mutant {
        Mutant(
            id: id, line: line,
            name: Mutant.Name(
                file: "Sources/M/F.swift", kind: .comparison, context: "if \(original) {", original: original,
                mutated: "a <= b"))
    }

    @Test func theShareCountsWhatATestCouldNotice() throws {
        let known = try JSONDecoder().decode(
            EquivalentMutant.self,
            from: Data(#"{"file": "F.swift", "original": "c", "mutated": "a <= b", "reason": "as wide"}"#.utf8))
        let table = MutantTable(
            [
                (Self.mutant(1), .killed(by: "test()")), (Self.mutant(2), .survived(suites: 2)),
                (Self.mutant(3), .unreached), (Self.mutant(4, "c"), .survived(suites: 1)),
            ], equivalents: [known])
        #expect(table.summary == "1 of 3 (33.3 %) mutants were noticed")
        #expect((33...34).contains(table.percentage))
        #expect(table.markdown.contains("| F.swift:1 | comparison | `a < b` | `a <= b` | 2 suites pass |"))
        #expect(table.markdown.contains("| F.swift:1 | comparison | `a < b` | `a <= b` | none reaches it |"))
        #expect(table.markdown.contains("| F.swift:1 | comparison | `c` | `a <= b` | as wide |"))
        #expect(table.markdown.contains("| `Sources/M/F.swift` | 1 of 3 (33.3 %) | test() 1 |"))
    }

    /// A run that was ended goes on where it was.
    @Test func answersAreKept() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "kept-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        var kept = try KeptOutcomes(file)
        try kept.add(.unreached, to: Self.mutant(1))
        try kept.add(.killed(by: "test()"), to: Self.mutant(1))
        let again = try KeptOutcomes(file)
        #expect(again[Self.mutant(7, line: 9)] == .killed(by: "test()"))
        #expect(again[Self.mutant(1, "c")] == nil)
    }

    @Test func anEquivalentMutantMayBeThatOfOneLine() throws {
        func matches(_ context: String) throws -> Bool {
            let text =
                #"{"file": "F.swift", "context": "\#(context)", "original": "c", "mutated": "a <= b", "reason": ""}"#
            return try JSONDecoder().decode(EquivalentMutant.self, from: Data(text.utf8))
                .matches(Self.mutant(1, "c").name)
        }
        #expect(try matches("if c {"))
        #expect(try !matches("while c {"))
    }

    @Test func theFirstFailureIsNamed() {
        let output = """
            \u{1B}[92m✔\u{1B}[0m Test one() passed after 0.027 seconds.
            \u{1B}[91m✘\u{1B}[0m Test two(of:) recorded an issue with 1 argument at F.swift:3:1
            \u{1B}[91m✘\u{1B}[0m Test "three" failed
            """
        #expect(TestProgram.firstFailure(in: output) == "two(of:)")
        #expect(TestProgram.firstFailure(in: "Fatal error") == nil)
    }

    @Test func changedLinesAreThoseOfTheDiff() {
        let lines = ChangedLines(
            diff: """
                --- a/Sources/M/F.swift
                +++ b/Sources/M/F.swift
                @@ -3,2 +4,2 @@ func
                +x
                @@ -9 +10 @@
                @@ -20,3 +19,0 @@
                """)
        let changed = (1...20).filter { lines.contains(Self.mutant($0, line: $0)) }
        #expect(changed == [4, 5, 10])
        #expect(lines.touch("Sources/M/F.swift") && !lines.touch("Sources/M/G.swift"))
    }
}
