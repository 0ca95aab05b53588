import Foundation
import ProbeConformance
import Testing

@Suite struct DivergencePageTests {
    /// `probe conformance --divergences > docs/divergences.md` writes it anew.
    @Test func thePublishedPageIsCurrent() throws {
        let page = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "docs/divergences.md")
        let published = try String(contentsOf: page, encoding: .utf8)
        #expect(
            published.trimmingCharacters(in: .newlines) == DivergencePage.markdown.trimmingCharacters(in: .newlines))
    }
}
