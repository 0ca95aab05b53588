import Foundation
import ProbeConformance
import Testing

@Suite struct DivergencePageTests {
    /// `probe conformance --divergences --exemptions Plugins/NAME/exemptions.json … > docs/divergences.md`, with the
    /// file of every plugin, writes it again.
    @Test func thePublishedPageIsCurrent() throws {
        let root = URL(filePath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let plugins = root.appending(path: "Plugins")
        let files = try FileManager.default.contentsOfDirectory(atPath: plugins.path).sorted()
            .map { plugins.appending(path: "\($0)/exemptions.json").path }
            .filter(FileManager.default.fileExists)
        let exemptions = try ConformanceExemptions.read(files)
        let page = root.appending(path: "docs/divergences.md")
        let published = try String(contentsOf: page, encoding: .utf8)
        #expect(
            published.trimmingCharacters(in: .newlines)
                == DivergencePage.markdown(with: exemptions).trimmingCharacters(in: .newlines))
    }
}
