import Foundation
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeServe

/// The page of `probe serve`, as a browser shows it.
@Suite(.bounded) struct StatusPageTests {
    static let hostile = "</td><img src=x onerror=document.title=1>'\"&"

    /// Returns the page of a target that fails, one that passes and one that was not asked yet.
    static func page(leafEnd: Int = 801_000_000) async throws -> String {
        let board = WatchBoard(nil)
        let items = ["shop.example:443", "pass.example:443", "new.example:443"].map {
            WatchPlan.Item(module: "web", target: $0, hostname: nil)
        }
        let later = """
            ,"fleets":[{"connecting":98.7,"minimum":98,"clients":[
            {"share":98.7,"verdict":{"name":"ios-18","outcome":"pass"}},
            {"share":1.3,"verdict":{"name":"android-7.0","outcome":"trust-failed","code":"untrusted",
            "message":"its roots lack the anchor"}}]}],
            "forecast":[{"service":"api","event":"renewed-same-key","frequency":"at least every 100 days",
            "platform":"spki","result":"passes","reason":"the key stays"},
            {"service":"api","event":"pins-expire","date":801000000,"platform":"android","result":"fails",
            "reason":\(JSONText.line(hostile))}],
            "fleetForecasts":[{"end":801000000,"moments":[
            {"date":800000000,"connecting":98.7,"outcome":"pass","lost":[]},
            {"date":801000000,"cause":\(JSONText.line(hostile)),"connecting":0,"outcome":"clients-lost","lost":["ios-18"]}]}]
            """
        func state(isSuccess: Bool) throws -> WatchedState {
            let stacks =
                isSuccess
                ? #"[{"name":"openssl","outcome":"pass"},{"name":"gnutls","outcome":"pass"}]"#
                : """
                [{"name":"openssl","outcome":"pin-mismatch","code":"pin-mismatch","message":\(JSONText.line(hostile)),\
                "fix":"add the pin of the new key, spki:sha256:VJhSHnUxIGLNDxChqhEWmkUfkEBEnyhzCvTCaOH4EWc="},\
                {"name":"gnutls","outcome":"pass"}]
                """
            let json = """
                {"checkedAt":800000000,"isSuccess":\(isSuccess),"metrics":{"byName":{}},"stacks":\(stacks),
                "certificates":[{"subject":"CN=shop.example","notBefore":796000000,"notAfter":\(leafEnd)},
                {"subject":"CN=Example Intermediate","notBefore":700000000,"notAfter":900000000}],
                "changes":[{"time":799999000,"stack":"openssl","from":"pass","to":"pin-mismatch","code":"pin-mismatch"}]\
                \(isSuccess ? later : "")}
                """
            return try JSONDecoder().decode(WatchedState.self, from: Data(json.utf8))
        }
        await board.put(try state(isSuccess: false), of: items[0])
        await board.put(try state(isSuccess: true), of: items[1])
        let entry = ProbeHistory.Entry(id: 7, module: "web", target: hostile, isSuccess: false, text: "")
        return StatusPage(
            plan: WatchPlan(every: .seconds(300), items: items.reversed()), board: board, history: [entry],
            now: Date(timeIntervalSinceReferenceDate: 800_000_060)
        ).text
    }

    /// The page is of 60 seconds after 800000000.
    @Test(arguments: [
        (800_000_059, "expired less than a day ago"), (799_900_000, "expired 1 day ago"),
        (800_000_061, "less than a day left"), (800_172_860, "2 days left"),
    ]) func daysAreCountedWhole(end: Int, words: String) async throws {
        #expect(try await Self.page(leafEnd: end).contains(", \(words)</span>"))
    }

    @Test func hostileTextIsInert() async throws {
        let html = try await Self.page()
        #expect(!html.contains("<img") && html.contains("&lt;img"))
        for loader in ["<script", "<link", " src=\"", "url(", "@import", "http://", "https://"] {
            #expect(!html.contains(loader), "\(loader)")
        }
    }

    @Test(.enabled(if: PartnerProcess.isInstalled(Browser.program), "chromium-shell is not installed"))
    func aBrowserShowsIt() async throws {
        let html = try await Self.page()
        try await ScratchFolder.with { folder in
            try ScratchFolder.write(html, to: "\(folder)/status.html")
            try await Browser.open("\(folder)/status.html", in: folder) { browser in
                #expect(try await browser.evaluate("document.title") == "1 of 3 fail - probe")
                // Failures come first.
                let headings = "Array.from(document.querySelectorAll('h3')).map(h => h.textContent.split(' ')[1])"
                #expect(
                    try await browser.evaluate("\(headings).join()")
                        == "shop.example:443,new.example:443,pass.example:443")
                try await Self.outline(browser)
                for (width, isDark) in [(400, false), (400, true), (1280, true)] {
                    try await browser.show(width: width, isDark: isDark)
                    #expect(
                        try await browser.evaluate("document.documentElement.scrollWidth <= \(width)") == "true",
                        "it scrolls sideways at \(width) pixels")
                    let contrast = try await browser.evaluate(Self.lowestContrast)
                    #expect(Double(contrast).map { $0 >= 4.5 } == true, "\(contrast), dark: \(isDark)")
                    try await PageRules.picture(of: browser, "status-\(width)-\(isDark ? "dark" : "light")")
                }
                try await Self.keyboard(browser)
                try await Self.clicks(browser)
            }
        }
    }

    /// The names and the structure that a screen reader goes by.
    private static func outline(_ browser: Browser) async throws {
        for (expression, value) in [
            ("document.documentElement.lang", "en"), ("document.querySelectorAll('h1').length", "1"),
            ("document.querySelectorAll('main').length", "1"),
            ("document.querySelectorAll('th:not([scope])').length", "0"),
            ("document.querySelectorAll('[tabindex=\"0\"]:not([aria-label])').length", "0"),
            ("document.querySelectorAll('nav:not([aria-label])').length", "0"),
            (
                "Array.from(document.querySelectorAll('[aria-labelledby]'))"
                    + ".filter(e => !document.getElementById(e.getAttribute('aria-labelledby'))).length", "0"
            ),
            // No level is left out on the way down.
            (
                "Array.from(document.querySelectorAll('h1,h2,h3,h4')).map(h => +h.tagName[1])"
                    + ".filter((l, i, a) => i > 0 && l > a[i - 1] + 1).length", "0"
            ),
            (
                "new Set(Array.from(document.querySelectorAll('[id]')).map(e => e.id)).size == document.querySelectorAll('[id]').length",
                "true"
            ),
            ("document.querySelectorAll('article.fail .fix').length", "1"),
            ("document.querySelectorAll('.chain li').length", "4"),
        ] {
            #expect(try await browser.evaluate(expression) == value, "\(expression)")
        }
    }

    /// Tab comes to the skip link first, and Enter opens what changed.
    private static func keyboard(_ browser: Browser) async throws {
        try await browser.press("Tab", code: 9)
        #expect(try await browser.evaluate("document.activeElement.className") == "skip")
        #expect(try await browser.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none")
        #expect(try await browser.evaluate("document.querySelector('details').open") == "false")
        _ = try await browser.evaluate("document.querySelector('summary').focus()")
        try await browser.press("Enter", code: 13, text: "\r")
        #expect(try await browser.evaluate("document.querySelector('details').open") == "true")
    }

    /// A click opens the clients and the forecast, and the one that fails comes first.
    private static func clicks(_ browser: Browser) async throws {
        let article = "article:last-of-type"
        for (number, words, first) in [
            (1, "98.7 % of the users connect, and 98 % have to", "android-7.0"),
            (2, "The next rotation: 1 of 2 changes fail", "renewed same key"),
        ] {
            let details = "\(article) details:nth-of-type(\(number))"
            #expect(try await browser.evaluate("document.querySelector('\(details) summary').textContent") == words)
            try await browser.click("\(details) summary")
            #expect(try await browser.evaluate("document.querySelector('\(details)').open") == "true")
            #expect(try await browser.evaluate("document.querySelector('\(details) tbody th').textContent") == first)
            #expect(
                try await browser.evaluate("document.querySelector('\(details) table').getClientRects().length") == "1")
        }
    }

    @Test(
        .enabled(if: PartnerProcess.isInstalled(Browser.program), "chromium-shell is not installed"),
        .enabled(if: PageRules.isThere, "Scripts/axe.sh did not fetch axe-core"))
    func axeFindsNothing() async throws {
        let html = try await Self.page()
        try await ScratchFolder.with { folder in
            try ScratchFolder.write(html, to: "\(folder)/status.html")
            try await Browser.open("\(folder)/status.html", in: folder) { try await PageRules.check($0, "open") }
        }
    }

    /// The lowest contrast of a text to the colour behind it, by WCAG 2.1.
    private static let lowestContrast = """
        (() => {
            const parts = c => c.match(/[0-9.]+/g).map(Number);
            const light = c => { const [r, g, b] = parts(c).map(v => v / 255)
                .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
                return 0.2126 * r + 0.7152 * g + 0.0722 * b; };
            const back = e => { for (; e; e = e.parentElement) { const c = getComputedStyle(e).backgroundColor;
                if (parts(c).length == 3 || parts(c)[3] > 0) return c; } return 'rgb(255,255,255)'; };
            const all = Array.from(document.querySelectorAll('body *'))
                .filter(e => Array.from(e.childNodes).some(n => n.nodeType == 3 && n.data.trim()));
            return Math.min(...all.map(e => { const a = light(getComputedStyle(e).color), b = light(back(e));
                return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05); })).toFixed(2);
        })()
        """
}
