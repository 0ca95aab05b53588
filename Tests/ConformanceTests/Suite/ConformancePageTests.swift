import Foundation
import ProbeConformance
import ProbeKit
import ProbeTestSupport
import Testing

/// The page, as a browser shows it.
@Suite(.bounded) struct ConformancePageTests {
    private static let hostile = "</script><img src=x onerror=document.title=1>'\"&<!--\u{2028}\u{202e}"

    /// Returns a matrix with a cell that is as promised, one that is known to differ, and two that are broken by a
    /// transport that reports whatever a hostile server would like it to.
    private func report() async throws -> ConformanceReport {
        let real = try BackendsUnderTest.transports[0].get()
        let hostile = WrongTransport(
            real, name: Self.hostile,
            falsify: { report, _, _ in
                report.cipherSuite = Self.hostile
                report.nativeTrust = .refused([.init(.other, Self.hostile, nativeCode: Self.hostile)])
            })
        let exemptions = try ConformanceExemptions(
            of: "wrong", ["tls/trust/expired": .init(.stacksDisagree, because: "it trusts everything")])
        return await ConformanceSuite(
            transports: [real, WrongTransport.trustingEverything(real), hostile],
            resolvers: BackendsUnderTest.resolvers, exemptions: exemptions, filter: "ed"
        ).run()
    }

    /// Whatever is in the evidence, the page has the elements that we wrote and no others.
    @Test func hostileTextIsInert() async throws {
        let html = ConformancePage(try await report()).html
        #expect(!html.contains("<img"))
        #expect(!html.contains("\u{2028}") && !html.contains("\u{202e}"))
        #expect(html.contains("\\u003c/script\\u003e\\u003cimg"))
        let policy = try #require(html.firstMatch(of: #/Content-Security-Policy" content="([^"]*)"/#)).1
        #expect(policy.hasPrefix("default-src 'none'; ") && !policy.contains("unsafe"))
        for loader in ["<link", "<script src", "href=", "url(", "@import"] { #expect(!html.contains(loader)) }
    }

    @Test(.enabled(if: PartnerProcess.isInstalled(Browser.program), "chromium-shell is not installed"))
    func aCellOpensToItsEvidence() async throws {
        let report = try await report()
        try await ScratchFolder.with { folder in
            try ScratchFolder.write(ConformancePage(report).html, to: "\(folder)/matrix.html")
            try await Browser.open("\(folder)/matrix.html", in: folder) { browser in
                try await Self.read(browser, report)
            }
        }
    }

    private static func read(_ browser: Browser, _ report: ConformanceReport) async throws {
        let rows = "document.querySelectorAll('#tls tbody tr:not([hidden])')"
        #expect(try await browser.evaluate("\(rows).length") == "\(report.tls.count)")
        #expect(try await browser.evaluate("document.querySelectorAll('#tls thead th').length") == "4")
        let shown = "document.getElementById('detail')"
        #expect(try await browser.evaluate("\(shown).hidden") == "true")

        // A known difference, by mouse: both sides, the reason, and the others.
        let row = try #require(report.tls.firstIndex { $0.id == "tls/trust/expired" })
        let tr = "tr[data-case=tls-\(row)]"
        try await browser.click("\(tr) button[data-backend=wrong]")
        let known = try await browser.evaluate("\(shown).innerText")
        for words in [
            "tls/trust/expired · wrong", "An expired leaf is refused.", "RFC 5280", "trust-failed, expired",
            "stacks-disagree", "it trusts everything", "refused: expired", "accepted", "TLS 1.3", "CN=",
            "openssl: trust-failed", "SHA-256 of the key",
        ] {
            #expect(known.contains(words), "\(words) is not in \(known)")
        }
        #expect(try await browser.evaluate("document.querySelectorAll('aside pre').length") == "1")

        // By keyboard: to the next cell, open, and out again.
        try await browser.press("Escape", code: 27)
        #expect(try await browser.evaluate("\(shown).hidden") == "true")
        try await browser.press("ArrowRight", code: 39)
        _ = try await browser.evaluate("document.activeElement.click()")
        let hostile = try await browser.evaluate("\(shown).innerText")
        #expect(hostile.contains("</script><img src=x onerror=document.title=1>"), "\(hostile)")
        #expect(hostile.contains("\\u{202e}") && !hostile.contains("\u{202e}"), "\(hostile)")
        #expect(try await browser.evaluate("document.images.length") == "0")
        #expect(try await browser.evaluate("document.title") == "What the backends promise")

        // The filters.
        _ = try await browser.evaluate(
            "(filter.value = 'expired-anchor', filter.dispatchEvent(new Event('input')))")
        #expect(try await browser.evaluate("\(rows).length") == "1")
        _ = try await browser.evaluate(
            "(filter.value = '', which.value = 'broken', which.dispatchEvent(new Event('change')))")
        #expect(try await browser.evaluate("\(rows).length") == "\(report.tls.count { !$0.isKept })")

        // DNS evidence.
        try await browser.click("#tab-dns")
        _ = try await browser.evaluate("(which.value = 'all', which.dispatchEvent(new Event('change')))")
        let listed = try #require(report.dns.firstIndex { $0.id == "dns/lists/listed" })
        try await browser.click("tr[data-case=dns-\(listed)] button[data-backend=ldns]")
        let answer = try await browser.evaluate("\(shown).innerText")
        #expect(answer.contains("DNS exchange 1") && answer.contains("florida"), "\(answer)")
    }
}
