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
