import Foundation
import Testing

/// The table of who imports whom, as it is.
@Suite struct ModuleTableTests {
    private static let page = SourceTree.root.appending(path: "docs/architecture.md")
    private static let marks = (begin: "<!-- written by a test: begin -->\n", end: "<!-- written by a test: end -->")

    /// `PROBE_WRITE_PAGES=1` writes it.
    @Test func thePageHasTheTable() throws {
        let text = try String(contentsOf: Self.page, encoding: .utf8)
        let begin = try #require(text.firstRange(of: Self.marks.begin))
        let end = try #require(text.firstRange(of: Self.marks.end))
        let table = try Self.table()
        if ProcessInfo.processInfo.environment["PROBE_WRITE_PAGES"] == "1" {
            let written = text[..<begin.upperBound] + table + text[end.lowerBound...]
            try String(written).write(to: Self.page, atomically: true, encoding: .utf8)
        } else {
            #expect(
                text[begin.upperBound..<end.lowerBound] == table,
                "write it: PROBE_WRITE_PAGES=1 swift test --skip-build -c release --filter ModuleTableTests")
        }
    }

    /// Nobody who writes a backend has to learn more.
    @Test func theContractIsShort() throws {
        #expect(try Self.publicTypes(of: "ProbeKit") <= 92)
    }

    private static func table() throws -> String {
        let modules = try SourceTree.modules()
        let rows = try modules.map { module in
            let imports = Set(try SourceTree.files(of: module).flatMap(SourceTree.imports))
                .subtracting(LayeringTests.everybodys)
            let others = imports.subtracting(modules)
            func text(_ names: Set<String>) -> String { names.sorted().map { "`\($0)`" }.joined(separator: " ") }
            return "| `\(module)` | \(text(imports.intersection(modules))) | \(text(others)) |"
        }
        return (["| module | imports of ours | of others |", "|---|---|---|"] + rows).joined(separator: "\n") + "\n"
    }

    private static func publicTypes(of module: String) throws -> Int {
        let definition = #/^(?:@\S+\s+)*public (?:final |indirect )?(?:struct|enum|class|actor|protocol|typealias) /#
            .anchorsMatchLineEndings()
        return try SourceTree.files(of: module).reduce(0) { count, file in
            count + (try String(contentsOf: file, encoding: .utf8)).matches(of: definition).count
        }
    }
}
