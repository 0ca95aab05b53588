import Foundation
import Testing

/// Citations in comments, tests, scenarios and pages can be looked up.
@Suite struct CitationTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let folders = [
        "Sources", "Tests", "Plugins", "docs", "Examples", "Benchmarks", "Mutants", "Scripts",
    ]
    private static let endings: Set = [
        "swift", "md", "c", "h", "py", "go", "java", "js", "mjs", "sh", "yaml", "yml", "mk",
    ]

    /// The decisions that a text cites: `decided: NAME` in parentheses, quotes, a list or a cell of a table.
    static func decisions(in text: String) -> [String] {
        guard SourceTree.contains(text, anyOf: ["decided: "]) else { return [] }
        return text.matches(of: #/(?:[\("]|, |\| )decided: ([a-z0-9]+(?:-[a-z0-9]+)*)/#).map { String($0.1) }
    }

    /// The requirements that a text cites by number: `requirement 3`, `requirements 3 to 6, 9 and 12`, `[R3, R9]`.
    static func requirements(in text: String) -> [Int] {
        guard SourceTree.contains(text, anyOf: ["equirement", "\"[R"]) else { return [] }
        let lists = text.matches(of: #/\b[Rr]equirements? (\d+(?:(?:, | and |, and | to )\d+)*)(?![.\d])/#).map(\.1)
        let tags = text.matches(of: #/"\[(R\d+(?:, R\d+)*)\]/#).map(\.1)
        return (lists + tags).flatMap { $0.matches(of: #/\d+/#).compactMap { Int($0.output) } }
    }

    /// Returns the citations of things that have no name here: `decision K9`, `gotcha G3`, `(rule 2)`, `(C4)`.
    static func unnamed(in text: String) -> [String] {
        let inWords = text.matches(
            of: #/\b(?:[Dd]ecision|[Gg]otcha|[Rr]ule)s? [A-Z]?\d+\b/#.matchingSemantics(.unicodeScalar))
        let alone = text.matches(
            of: #/[(",] ?[BCFGK]\d{1,2}(?:\.\d+)?(?=[),;:"])/#.matchingSemantics(.unicodeScalar))
        return (inWords + alone).map { String($0.output) }
    }

    /// The text on one line: a citation may be broken by the end of a line of a comment.
    private static func joined(_ text: String) -> String {
        text.split(separator: "\n").map { $0.drop { " \t/#*".contains($0) } }.joined(separator: " ")
    }

    private static func names(of page: String, _ pattern: Regex<(Substring, Substring)>) throws -> Set<String> {
        let text = try String(contentsOf: root.appending(path: page), encoding: .utf8)
        return Set(text.matches(of: pattern).map { String($0.1) })
    }

    /// Returns the texts to check, by path; this file is left out, since it cites missing things.
    private static func texts() throws -> [(path: String, text: String)] {
        try folders.flatMap { folder in
            try FileManager.default.subpathsOfDirectory(atPath: root.appending(path: folder).path).map {
                "\(folder)/\($0)"
            }
        }.filter { path in
            endings.contains(URL(filePath: path).pathExtension) && !path.contains("/.build")
                && !path.contains("/node_modules/")
                && URL(filePath: path).lastPathComponent != URL(filePath: #filePath).lastPathComponent
        }.compactMap { path in
            (try? String(contentsOf: root.appending(path: path), encoding: .utf8)).map { (path, $0) }
        }
    }

    @Test func everyCitationLeadsSomewhere() throws {
        let decided = try Self.names(of: "docs/decisions.md", #/(?m)^### (\S+)$/#)
        let required = try Self.names(of: "docs/requirements.md", #/(?m)^\| (\d+) \|/#)
        var cited: Set<String> = []
        for (path, lines) in try Self.texts() where path != "docs/decisions.md" {
            let text = Self.joined(lines)
            let decisions = Set(Self.decisions(in: text))
            #expect(
                decisions.subtracting(decided) == [], "\(path) cites decisions that docs/decisions.md does not define")
            let requirements = Set(Self.requirements(in: text).map(String.init))
            #expect(
                requirements.subtracting(required) == [],
                "\(path) cites requirements that docs/requirements.md does not have")
            #expect(Self.unnamed(in: text) == [], "\(path) cites what is defined nowhere")
            if !path.hasPrefix("docs/") { cited.formUnion(decisions) }
        }
        #expect(decided.subtracting(cited) == [], "decisions that nothing cites")
        #expect(decided.count > 20 && required.count == 108)
    }

    /// Messages name the fault, and not the decision behind it.
    @Test func messagesCiteNothing() throws {
        for (path, text) in try Self.texts() where path.hasPrefix("Sources/") && !path.contains("Conformance/") {
            let cited = text.split(separator: "\n").filter { line in
                SourceTree.contains(line, anyOf: ["decided:", "equirement"])
                    && line.contains(#/"[^"]*\b(?:decided:|[Rr]equirements? \d)/#)
                    && !line.contains(#/^\s*\/\//#)
            }
            #expect(cited.isEmpty, "\(path)")
        }
    }

    @Test func citationsAreFound() {
        let text = Self.joined(
            """
            /// The first (requirement 101, decided: first-n), and broken (requirements
            /// 3 to 16 and 20, decided:
            /// own-paths). Nothing is decided: an `add` counts.
            source: "decided: anchors", "[R9, R10] said", CA/B baseline requirements 7.1.3.2
            """)
        #expect(Self.decisions(in: text) == ["first-n", "own-paths", "anchors"])
        #expect(Self.requirements(in: text) == [101, 3, 16, 20, 9, 10])
        #expect(Self.unnamed(in: text) == [])
        #expect(
            Self.unnamed(in: #"(decision K9, gotcha G3) (rule 2) "G5" (C11.5) Root G2, CA - G3 CC:F7:8E "A4:B0" "E1""#)
                == ["decision K9", "gotcha G3", "rule 2", #""G5"#, "(C11.5"])
    }
}
