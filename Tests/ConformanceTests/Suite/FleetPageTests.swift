import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import Subprocess
import Testing

/// The page of `probe fleet --format html`, as the command writes it and a browser shows it.
@Suite(.bounded) struct FleetPageTests {
    private static let pki = LabPKI(epoch: .now)
    /// The name of a service, which stands in headings.
    private static let hostile = "<img src=x onerror=document.title=1>'&"

    /// One client that has the lab's root, and one that has a root of its own alone.
    private static let clients = """
        clients:
          terminal-1:
            {released: 2020-01-01, library: Terminal, roots: ca.pem, sources: {released: us, library: us, roots: us}}
          terminal-2:
            {released: 2020-01-01, library: Terminal, roots: other.pem, sources: {released: us, library: us, roots: us}}
        """

    /// Runs `body` with the page about a server that most clients accept, and one that is not reached.
    private static func withPage(
        _ body: @escaping @Sendable (_ html: String, _ folder: String) async throws -> Void
    ) async throws {
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: pki) { server in
            let endpoint = server.endpoint
            try await ScratchFolder.with { folder in
                let pin = PinDigest.sha256(of: try pki.identity(.good).leaf).hex
                for (name, text) in [
                    "ca.pem": try pki.rootPEM(), "other.pem": try LabPKI(epoch: .now).rootPEM(),
                    "clients.yaml": clients,
                    "fleet.yaml": """
                    fleet: 1
                    minimum: 99
                    clientFiles: [clients.yaml]
                    clients: {terminal-1: 98.5, terminal-2: 1.5}
                    profile: app.yaml
                    """,
                    "app.yaml": """
                    profile: 1
                    anchors: [ca.pem]
                    services:
                      \(JSONText.line(hostile)):
                        {url: "https://good.test", connect: "\(endpoint)", pins: [{anyOf: ["cert:sha256:\(pin)"]}]}
                      away:
                        url: https://away.test
                        connect: "127.0.0.1:\(try LoopbackPort.free())"
                        pins: [{anyOf: ["cert:sha256:\(pin)"]}]
                    """,
                ] {
                    try ScratchFolder.write(text, to: "\(folder)/\(name)")
                }
                let result = try await Subprocess.run(
                    .name("bash"),
                    arguments: [
                        "-c", "cd \"$0\" && exec \"$1\" fleet --fleet fleet.yaml --format html", folder,
                        ExporterUnderTest.probe,
                    ], output: .string(limit: 1 << 20), error: .string(limit: 1 << 16))
                #expect(result.terminationStatus == .exited(16), "\(result.standardError)")
                let html = result.standardOutput
                try ScratchFolder.write(html, to: "\(folder)/fleet.html")
                try await body(html, folder)
            }
        }
    }

    @Test func hostileTextIsInert() async throws {
        try await Self.withPage { html, _ in
            #expect(!html.contains("<img") && html.contains("&lt;img"), "\(html)")
            for loader in ["<script", "<link", " src=\"", "url(", "@import", "http://", "href=\"https://"] {
                #expect(!html.contains(loader), "\(loader)")
            }
        }
    }

    @Test(.enabled(if: PartnerProcess.isInstalled(Browser.program), "chromium-shell is not installed"))
    func aBrowserShowsIt() async throws {
        try await Self.withPage { _, folder in
            try await Browser.open("\(folder)/fleet.html", in: folder) { browser in
                let text = { (selector: String) in
                    try await browser.evaluate("document.querySelector('\(selector)').textContent")
                }
                #expect(
                    try await browser.evaluate("document.title")
                        == "1 of 2 below the minimum, 1 not known - probe fleet")
                #expect(
                    try await text("section .sum.refuses").contains("98.5 % of your users connect, and 99 % have to"))
                #expect(try await text("article.refuses h3") == "terminal-2 (1.5 %) refuses")
                #expect(try await text("article.refuses .fix").hasPrefix("Fix: "))
                #expect(try await browser.evaluate("document.querySelectorAll('article.undecided').length") == "1")
                for (expression, value) in [
                    ("document.documentElement.lang", "en"), ("document.querySelectorAll('main').length", "1"),
                    ("document.querySelectorAll('h1').length", "1"), ("document.querySelectorAll('img').length", "0"),
                    ("document.querySelectorAll('th:not([scope])').length", "0"),
                ] {
                    #expect(try await browser.evaluate(expression) == value, "\(expression)")
                }
                // A click opens the table, and Tab leads into it.
                try await browser.show(width: 400, isDark: true)
                try await browser.click("summary")
                #expect(try await browser.evaluate("document.querySelector('details').open") == "true")
                #expect(try await text("details tbody th") == "terminal-1")
                try await browser.press("Tab", code: 9)
                #expect(try await browser.evaluate("document.activeElement.getAttribute('role')") == "region")
                #expect(try await browser.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none")
            }
        }
    }

    @Test(
        .enabled(if: PartnerProcess.isInstalled(Browser.program), "chromium-shell is not installed"),
        .enabled(if: PageRules.isThere, "Scripts/axe.sh did not fetch axe-core"))
    func axeFindsNothing() async throws {
        try await Self.withPage { _, folder in
            try await Browser.open("\(folder)/fleet.html", in: folder) { try await PageRules.check($0, "fleet") }
        }
    }
}
