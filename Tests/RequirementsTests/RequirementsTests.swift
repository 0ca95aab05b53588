import Foundation
import Testing

@Suite struct RequirementsTests {
    private static let root = URL(filePath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    private static let page = root.appending(path: "docs/requirements.md")

    @Test func everyNumberIsThereOnce() {
        #expect(Requirement.all.map(\.number).sorted() == Array(1...108))
    }

    @Test func whatAppliesIsShown() throws {
        let tags = try Tags(testsIn: Self.root.appending(path: "Tests"))
        let unshown = Requirement.all.filter { $0.applicability != .not && tags.evidence[$0.number] == nil }
        #expect(unshown.map { "\($0.number): \($0.text)" } == [])
    }

    @Test func onlyWhatExistsIsClaimed() throws {
        let tags = try Tags(testsIn: Self.root.appending(path: "Tests"))
        let known = Set(Requirement.all.map(\.number))
        #expect(tags.evidence.keys.filter { !known.contains($0) } == [])
    }

    /// `make requirements` writes the page.
    @Test func thePageIsCurrent() throws {
        let markdown = RequirementsPage(tags: try Tags(testsIn: Self.root.appending(path: "Tests"))).markdown
        if ProcessInfo.processInfo.environment["PROBE_WRITE_PAGES"] != nil {
            try markdown.write(to: Self.page, atomically: true, encoding: .utf8)
        }
        #expect(try String(contentsOf: Self.page, encoding: .utf8) == markdown)
    }
}

/// The page that lists the tests of each behaviour in the five documents.
struct RequirementsPage {
    let tags: Tags

    var markdown: String {
        let shown = Requirement.all.filter { $0.applicability != .not }.count
        var lines = [
            "# What the five security documents ask, and what shows it", "",
            "Written by `make requirements`; a test fails when it is not current, or when a behaviour that applies has",
            "nothing that shows it.", "",
            "\(Requirement.all.count) behaviours, of which \(shown) apply to a prober.", "",
            "| # | document | behaviour | applies | shown by |", "|---|---|---|---|---|",
        ]
        for requirement in Requirement.all.sorted(by: { $0.number < $1.number }) {
            let evidence = tags.evidence[requirement.number] ?? []
            let shown = evidence.isEmpty ? "—" : Self.list(evidence)
            lines.append(
                "| \(requirement.number) | \(requirement.source.rawValue) | \(requirement.text) | "
                    + "\(requirement.applicability.rawValue) | \(shown) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Few are enough to find the rest by.
    private static func list(_ evidence: [String]) -> String {
        let shown = evidence.prefix(4).joined(separator: ", ")
        return evidence.count > 4 ? "\(shown), and more" : shown
    }
}
