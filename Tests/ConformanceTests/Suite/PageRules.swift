import Foundation
import Testing

/// All rules of axe-core, asked of a page with everything open, at 400 and 1280 pixels and by both schemes.
enum PageRules {
    private static let file = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: ".build/axe/axe.min.js")

    static let isThere = FileManager.default.fileExists(atPath: file.path)

    /// Records what the rules find; pictures named `name` go to the folder `PROBE_PICTURES`.
    static func check(_ browser: Browser, _ name: String) async throws {
        let axe = try String(contentsOf: file, encoding: .utf8)
        _ = try await browser.evaluate("(() => { \(axe); return 1 })()")
        _ = try await browser.evaluate("document.querySelectorAll('details').forEach(d => { d.open = true })")
        for (width, isDark) in [(400, false), (400, true), (1280, false), (1280, true)] {
            try await browser.show(width: width, isDark: isDark)
            let found = try await browser.evaluate(
                """
                axe.run().then(r => JSON.stringify([r.passes.length > 15, r.violations.map(v =>
                [v.id, v.nodes.map(n => n.html.slice(0, 120) + ' ' + n.failureSummary)])]))
                """, awaits: true)
            #expect(found == "[true,[]]", "\(width) dark: \(isDark): \(found)")
            #expect(
                try await browser.evaluate("document.documentElement.scrollWidth <= \(width)") == "true",
                "it scrolls sideways at \(width) pixels")
            try await picture(of: browser, "\(name)-\(width)-\(isDark ? "dark" : "light")")
        }
        // They notice what they are there for.
        _ = try await browser.evaluate("document.documentElement.removeAttribute('lang')")
        let found = try await browser.evaluate("axe.run().then(r => r.violations.map(v => v.id).join())", awaits: true)
        #expect(found == "html-has-lang")
    }

    /// Leaves a picture for people where somebody asked for pictures.
    static func picture(of browser: Browser, _ name: String) async throws {
        guard let folder = ProcessInfo.processInfo.environment["PROBE_PICTURES"] else { return }
        try await browser.picture().write(to: URL(filePath: "\(folder)/\(name).png"))
    }
}
