import ProbeKit
import ProbePins
import ProbeReport

/// A run of the suite as one self-contained HTML page: the matrix, a filter, and behind each cell both sides' data.
///
/// It contains data from hostile servers. So only our own style and script are ever interpreted (a content security
/// policy names both by digest), evidence is inert JSON, and the script puts it only into text nodes.
public struct ConformancePage: Sendable {
    private let report: ConformanceReport
    private let title: String

    /// Creates a page about a report.
    ///
    /// - Parameter title: its heading.
    public init(_ report: ConformanceReport, title: String = "What the backends promise") {
        self.report = report
        self.title = title
    }

    /// The page.
    public var html: String {
        let sections = Section.all(of: report)
        return """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta http-equiv="Content-Security-Policy" content="\(Self.policy)">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <title>\(HTMLText.escape(title))</title>
            <style>\(Self.style)</style>
            </head>
            <body>
            \(header(sections))
            <main>
            \(sections.map(\.html).joined(separator: "\n"))
            <aside id="detail" aria-label="Evidence" tabindex="-1" hidden></aside>
            </main>
            \(sections.flatMap(\.data).joined(separator: "\n"))
            <script>\(Self.script)</script>
            </body>
            </html>

            """
    }

    private func header(_ sections: [Section]) -> String {
        let state = report.isKept ? "kept" : "broken"
        let word = report.isKept ? "every promise kept" : "\(report.failures.count) broken"
        let tabs = sections.map { section in
            """
            <button type="button" role="tab" id="tab-\(section.key)" aria-controls="\(section.key)" \
            data-section="\(section.key)">\(section.title) <span>\(section.cases.count)</span></button>
            """
        }
        return """
            <header>
            <h1>\(HTMLText.escape(title)) <span class="state \(state)">\(word)</span></h1>
            \(report.remark.map { "<p>\(HTMLText.escape($0))</p>" } ?? "")
            <nav role="tablist">\(tabs.joined())</nav>
            <form role="search">
            <input type="search" id="filter" placeholder="Filter by case, promise, source or outcome" \
            aria-label="Filter" autocomplete="off">
            <select id="which" aria-label="Which cases">
            <option value="all">all cases</option>
            <option value="different">only differences</option>
            <option value="broken">only broken</option>
            </select>
            <output id="count" aria-live="polite"></output>
            </form>
            </header>
            """
    }

    private static var policy: String {
        func digest(_ text: String) -> String { "'sha256-\(PinDigest.sha256(of: Array(text.utf8)).base64)'" }
        return """
            default-src 'none'; style-src \(digest(style)); script-src \(digest(script)); base-uri 'none'; \
            form-action 'none'
            """
    }
}
