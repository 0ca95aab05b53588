import Mutation
import Testing

/// The text that is written for each kind of mutant, and what is left alone.
@Suite struct MutatedSourceTests {
    @Test(
        "each kind of change",
        arguments: [
            ("let x = a < b", ["comparison a <= b", "comparison a >= b"]),
            ("let x = a == b", ["comparison a != b"]),
            ("let x = a && b.c", ["dropped b.c", "dropped a"]),
            ("let x = !a", ["negation a"]),
            ("let x = total - shown", ["swapped shown - total"]),
            ("let x = f(a, b)", ["swapped f(b, a)"]),
            ("let x = 41", ["constant 42"]),
            ("let x = true", ["constant false"]),
            ("let x = [a, b]", ["removed [b]", "removed [a]"]),
            ("let x = a ? b : c", ["negation !(a)"]),
            (
                "if a, let b, c < d {}",
                ["negation !(a)", "dropped true", "dropped true", "comparison c <= d", "comparison c >= d"]
            ),
            ("for x in y where z {}", ["negation !(z)", "dropped true"]),
            ("func f() -> Bool { a }", ["early return return true", "early return return false"]),
            ("func f() -> [Int] { a }", ["early return return []"]),
            ("func f() -> Int? { a }", ["early return return nil"]),
            ("func f() -> [Int: Int] { a }", ["early return return [:]"]),
            ("func f() -> [(a: Int, b: Int)] { a }", ["early return return []"]),
            ("func f() { a() }", ["early return return"]),
            ("func f() -> String { a }", []),
            ("var x: Bool { a }", ["early return return true", "early return return false"]),
        ])
    func kinds(source: String, expected: [String]) {
        let mutated = MutatedSource(source, file: "F.swift")
        #expect(mutated.mutants.map { "\($0.name.kind.rawValue) \($0.name.mutated)" }.sorted() == expected.sorted())
        for mutant in mutated.mutants { #expect(mutated.text.contains("ProbeMutant.on(\(mutant.id)) ")) }
    }

    @Test func aSwitchChoosesBetweenTheChangesAndTheCode() {
        let mutated = MutatedSource("guard a < b else { return }\n", file: "F.swift")
        #expect(
            mutated.text
                == "guard (ProbeMutant.on(1) ? (a <= b) : (ProbeMutant.on(2) ? (a >= b) : (a < b))) else { return }\n")
    }

    /// One mutant is switched on at a time, so that the code beside it is as it was.
    @Test func changesAreNotNested() {
        let mutated = MutatedSource("let x = !(a < 3)", file: "F.swift")
        #expect(mutated.text.contains("(ProbeMutant.on(1) ? ((a < 3)) : (!("))
        #expect(mutated.text.matches(of: #/ProbeMutant\.on\(4\)/#).count == 1)
    }

    @Test func aValueIsReturnedBehindAnEarlyReturn() {
        let value = MutatedSource("var x: [Int] { y }", file: "F.swift")
        #expect(value.text == "var x: [Int] { if ProbeMutant.on(1) { return [] }; return y}")
        let cases = MutatedSource("func f() -> Bool {\n    switch a {\n    case 1: b\n    }\n}", file: "F.swift")
        #expect(cases.text.contains("; return switch a {"))
        let statements = MutatedSource("func f() -> Bool {\n    let a = b\n    return a\n}", file: "F.swift")
        #expect(!statements.text.contains("; return let"))
        let returning = MutatedSource("func f() -> Bool {\n    if a { return b } else { return c }\n}", file: "F.swift")
        #expect(!returning.text.contains("return if"))
    }

    @Test(
        "patterns, raw values, attributes, and room set aside",
        arguments: [
            "switch a {\ncase 1: b\ndefault: c\n}", "enum E: Int { case a = 1 }",
            "@available(macOS 26, *) struct S {}", "a.reserveCapacity(8)", "min(a, b)", "let x = [Int]()",
            "@inlinable func f() -> Bool { a < b }",
            "#if DEBUG\nlet x = 1\n#endif", #"let x = "1 < 2""#, "// 1 < 2",
        ])
    func leftAlone(source: String) {
        let mutated = MutatedSource(source, file: "F.swift")
        #expect(mutated.mutants == [])
        #expect(mutated.text == source)
    }

    @Test func linesAreThoseOfTheSource() {
        let mutated = MutatedSource("// one\n\nlet x = a\n    && b\nlet y = 1\n", file: "F.swift", first: 7)
        #expect(mutated.mutants.map(\.line) == [3, 3, 5])
        #expect(mutated.mutants.map(\.id) == [7, 8, 9])
        #expect(mutated.mutants[0].name.original == "a && b")
        #expect(mutated.next == 10)
    }

    @Test func whatDoesNotCompileKeepsItsNumber() {
        let first = MutatedSource("let x = a < b", file: "F.swift").mutants[0]
        let mutated = MutatedSource("let x = a < b", file: "F.swift", excluding: [first.name])
        #expect(mutated.mutants.map(\.id) == [2])
        #expect(mutated.text == "let x = (ProbeMutant.on(2) ? (a >= b) : (a < b))")
        #expect(mutated.next == 3)
    }

    @Test func errorsLeadToTheirMutant() throws {
        let text = MutatedSource("func f() -> Bool {\n    let c = f(a, b)\n    return c - d\n}\n", file: "F.swift").text
        func culprits(at part: String) throws -> Set<Int> {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            let line = try #require(lines.firstIndex { $0.contains(part) })
            let before = try #require(lines[line].range(of: part)).lowerBound
            let column = lines[line][..<before].utf8.count + 1
            return MutatedSource.culprits(line: line + 1, column: column, in: text)
        }
        #expect(try culprits(at: "b, a") == [3])
        #expect(try culprits(at: "d - c") == [4])
        #expect(try culprits(at: "true") == [1])
        #expect(try culprits(at: "let c") == [3])
    }
}
