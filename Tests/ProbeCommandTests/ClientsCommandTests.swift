import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// `probe clients`, `check --client` and `fleet`, as users run them.
@Suite(.bounded) struct ClientsCommandTests {
    @Test(arguments: [["clients"], ["clients", "list", "android"], ["clients", "show", "android-7.0", "java"]])
    func theLinesFollowTheSchema(arguments: [String]) async throws {
        let schema = try Schema.load("probe-clients-1.schema.json")
        let outcome = try await Probe.run(arguments + ["--format", "json"])
        #expect(outcome.code == 0 && !outcome.lines.isEmpty, "\(outcome.errors)")
        for line in outcome.lines { #expect(schema.violations(in: line) == []) }
        let text = try await Probe.run(arguments)
        #expect(text.code == 0 && text.output.contains("android-7.0"))
    }

    @Test("a word that is no client is refused with those it may have meant") func nearMiss() async throws {
        let outcome = try await Probe.run(["check", "--client", "android-7", "good.test"])
        #expect(outcome.code == 64 && outcome.errors.contains("did you mean 'android-7.0' or 'android-7.1'?"))
        let roots = try await Probe.run(["check", "--client", "android", "--roots", "mozilla", "good.test"])
        #expect(roots.code == 64 && roots.errors.contains("--roots and --client are given"))
    }

    /// A variable of CI that is not set must not judge nothing and pass.
    @Test(arguments: ["", ",", "android-7.0,"]) func anEmptyWordIsNoClient(word: String) async throws {
        for arguments in [
            ["check", "--client", word, "--connect", "127.0.0.1:1", "good.test"], ["clients", "show", word],
        ] {
            let outcome = try await Probe.run(arguments)
            #expect(outcome.code == 64 && outcome.errors.contains("''"), "\(outcome)")
        }
    }

    @Test("each client is a row that says that it is emulated, by which store and anchor") func rows() async throws {
        let folder = Replay.folder("2021-expired-root")
        let outcome = try await Probe.run([
            "check", "--client", "\(folder)/clients.yaml", "--chain", "\(folder)/chain.pem", "--at",
            "2021-10-01T00:00:00Z", "--format", "json", "shop.test",
        ])
        #expect(outcome.code == 11, "\(outcome.output)\(outcome.errors)")
        let schema = try Schema.load("probe-1.schema.json")
        let rows = Dictionary(
            uniqueKeysWithValues: outcome.lines.map { ($0["transport"] as? String ?? "", $0) })
        #expect(rows.count == 14)
        for (name, row) in rows {
            #expect(schema.violations(in: row) == [])
            let findings = try #require(row["findings"] as? [[String: Any]])
            let emulated = findings.first { $0["code"] as? String == "client-emulated" }
            let words = emulated?["message"] as? String ?? ""
            #expect(words.contains("both-roots.pem") || words.contains("old-root.pem"), "\(name): \(words)")
            let isAccepted = row["outcome"] as? String == "pass" || row["outcome"] as? String == "pass-with-warnings"
            #expect(words.contains("anchor '") == isAccepted, "\(name): \(words)")
        }
        #expect(rows["old-openssl"]?["outcome"] as? String == "trust-failed")
        #expect(rows["openssl"]?["outcome"] as? String != "trust-failed")
    }
}

/// The examples' replays of failures by `probe fleet`, which announces each the day before.
@Suite(.bounded) struct ReplayTests {
    /// The chain that is sent and the instant, and who then does not connect.
    struct Case: Sendable, CustomTestStringConvertible {
        let replay: String
        let chain: String
        let at: String
        var refuse: Set<String> = []
        var undecided: Set<String> = []
        var code: Int32 = 0

        var testDescription: String { "\(replay), \(chain), \(at)" }
    }

    private static let looksNowhere: Set = [
        "old-openssl", "openssl", "old-gnutls", "gnutls", "old-android", "android", "terminal", "java", "python", "go",
        "device",
    ]

    @Test(arguments: [
        // DST Root CA X3, 2021-09-30: OpenSSL 1.0.2, GnuTLS before 3.6.14 and wolfSSL broke; old Androids, which have only the
        // expired root and do not judge its validity, went on.
        Case(replay: "2021-expired-root", chain: "chain", at: "2021-09-29T00:00:00Z"),
        Case(
            replay: "2021-expired-root", chain: "chain", at: "2021-10-01T00:00:00Z",
            refuse: ["old-openssl", "old-gnutls", "terminal"], code: 16),
        // The short chain mends those and loses old Androids, whose roots lack the newer one.
        Case(
            replay: "2021-expired-root", chain: "short", at: "2021-10-01T00:00:00Z", refuse: ["old-android"], code: 16),
        // A missing intermediate: of those that find it elsewhere nothing is known.
        Case(
            replay: "2021-expired-root", chain: "leaf", at: "2021-09-29T00:00:00Z", refuse: looksNowhere,
            undecided: ["phone", "browser", "windows"], code: 16),
        Case(replay: "2021-expired-root", chain: "shuffled", at: "2021-09-29T00:00:00Z", refuse: ["terminal"]),
        // AddTrust External CA Root, 2020-05-30: the cross-certificate ended with the old root.
        Case(replay: "2020-addtrust", chain: "chain", at: "2020-05-29T00:00:00Z"),
        Case(
            replay: "2020-addtrust", chain: "chain", at: "2020-06-01T00:00:00Z",
            refuse: ["old-openssl", "old-gnutls", "old-android", "terminal"], code: 16),
        Case(replay: "2020-addtrust", chain: "short", at: "2020-06-01T00:00:00Z", refuse: ["old-android"]),
        // SHA-1's end: refused since Chrome 56, Firefox 51, iOS 11, macOS 10.13 and Java 8u141.
        Case(
            replay: "2017-sha1", chain: "chain", at: "2017-06-01T00:00:00Z",
            refuse: ["chrome", "firefox", "java", "phone", "mac"], code: 16),
        Case(replay: "2017-sha1", chain: "sha256", at: "2017-06-01T00:00:00Z"),
        // 398 days from 2020-09-01: refused by Apple's systems and Chrome, by no library and not by Firefox.
        Case(
            replay: "2020-lifetime", chain: "chain", at: "2022-06-01T00:00:00Z", refuse: ["phone", "mac", "chrome"],
            code: 16),
        Case(replay: "2020-lifetime", chain: "before", at: "2022-06-01T00:00:00Z"),
        Case(replay: "2020-lifetime", chain: "year", at: "2022-06-01T00:00:00Z"),
        // Symantec's roots: gone for servers since Chrome 70 and Firefox 63, and from no library by then.
        Case(
            replay: "2018-distrust", chain: "chain", at: "2018-12-01T00:00:00Z", refuse: ["chrome", "firefox"],
            code: 16),
        Case(replay: "2018-distrust", chain: "replaced", at: "2018-12-01T00:00:00Z"),
    ])
    func replays(_ replay: Case) async throws {
        let folder = Replay.folder(replay.replay)
        let arguments = [
            "fleet", "--fleet", "\(folder)/fleet.yaml", "--chain", "\(folder)/\(replay.chain).pem", "--at", replay.at,
        ]
        let outcome = try await Probe.run(arguments + ["--format", "json"])
        #expect(outcome.code == replay.code, "\(outcome.output)\(outcome.errors)")
        let line = try #require(outcome.lines.first)
        #expect(try Schema.load("probe-fleet-1.schema.json").violations(in: line) == [])
        let rows = try #require(line["clients"] as? [[String: Any]])
        func clients(_ answer: String) -> Set<String> {
            Set(rows.filter { $0["answer"] as? String == answer }.compactMap { $0["client"] as? String })
        }
        #expect(clients("refuses") == replay.refuse)
        #expect(clients("undecided") == replay.undecided)
        #expect(line["outcome"] as? String == (replay.code == 16 ? "clients-lost" : "pass"))
        let text = try await Probe.run(arguments)
        #expect(text.code == replay.code && text.output.contains("% of your users connect"))
        for client in replay.refuse { #expect(text.output.contains("\(client) (")) }
        #expect(text.output.contains("fix: ") == !replay.refuse.isEmpty)
    }

    @Test("where the libraries of make clients are given, they judge instead of their emulation") func realLibraries()
        async throws
    {
        let folder = Replay.folder("2021-expired-root")
        let plugins = Replay.folder("../../Plugins/clients")
        let isThere = ["1-0-2e", "1-1-1l"].allSatisfy {
            FileManager.default.fileExists(atPath: "\(plugins)/openssl/probe-transport-openssl-\($0)")
        }
        if !isThere { try skip("its libraries are not unpacked: make clients") }
        for (day, code) in [("2021-09-29", Int32(0)), ("2021-10-01", 16)] {
            let outcome = try await Probe.run([
                "fleet", "--fleet", "\(folder)/fleet.yaml", "--chain", "\(folder)/chain.pem", "--at",
                "\(day)T00:00:00Z", "--plugin-path", plugins, "--format", "json",
            ])
            #expect(outcome.code == code, "\(outcome.output)\(outcome.errors)")
            let line = try #require(outcome.lines.first)
            #expect(try Schema.load("probe-fleet-1.schema.json").violations(in: line) == [])
            let rows = try #require(line["clients"] as? [[String: Any]])
            let real = rows.filter { $0["emulated"] as? Bool == false }.compactMap { $0["client"] as? String }
            #expect(real == ["old-openssl", "openssl"])
            let refuse = rows.filter { $0["answer"] as? String == "refuses" }.compactMap { $0["client"] as? String }
            #expect(refuse == (code == 0 ? [] : ["old-openssl", "old-gnutls", "terminal"]))
        }
    }

    @Test("the page has the clients that are lost, with their reasons, and loads nothing") func page() async throws {
        let folder = Replay.folder("2021-expired-root")
        let outcome = try await Probe.run([
            "fleet", "--fleet", "\(folder)/fleet.yaml", "--chain", "\(folder)/chain.pem", "--at",
            "2021-10-01T00:00:00Z", "--format", "html",
        ])
        #expect(outcome.code == 16, "\(outcome.errors)")
        let html = outcome.output
        #expect(
            html.hasPrefix("<!DOCTYPE html>") && html.contains("<title>1 of 1 below the minimum - probe fleet</title>"))
        #expect(html.contains("99.1 % of your users connect, and 99.5 % have to."))
        #expect(html.contains("<h3>old-openssl (0.5 %) refuses</h3>"))
        #expect(html.contains("<h3>old-gnutls (0.3 %) refuses</h3>"))
        #expect(html.contains("<p class=\"fix\">Fix: leave out the certificate that leads to the expired one"))
        // The words of certificates are text: the issuer's name has quotes around it.
        #expect(html.contains("&#39;") && html.contains("All 14 clients"))
        #expect(html.matches(of: #/<tr><th scope="row">/#).count == 14)
        for loader in ["<script", "<link", "<img", " src=", "url(", "@import", "http://", "https://"] {
            #expect(!html.contains(loader), "\(loader)")
        }
        let refused = try await Probe.run(["fleet", "--fleet", "\(folder)/fleet.yaml", "--format", "csv"])
        #expect(refused.code == 64 && refused.errors.contains("choose text, json, junit, sarif, html"))
    }

    @Test("what a fleet says is there for CI too", arguments: ["junit", "sarif"]) func formats(format: String)
        async throws
    {
        let folder = Replay.folder("2021-expired-root")
        let outcome = try await Probe.run([
            "fleet", "--fleet", "\(folder)/fleet.yaml", "--chain", "\(folder)/chain.pem", "--at",
            "2021-10-01T00:00:00Z", "--format", format,
        ])
        #expect(outcome.code == 16 && outcome.output.contains("old-openssl"), "\(outcome.errors)")
        #expect(outcome.output.contains("clients-lost") && outcome.output.contains("99.5 % have to"))
        // Fewer have to connect: the refusals of the others are reported, and fail nothing.
        let text = try String(contentsOfFile: "\(folder)/fleet.yaml", encoding: .utf8)
        let file = FileManager.default.temporaryDirectory.appending(path: "probe-fleet-\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try text.replacing(#/(?m)^minimum:.*$/#, with: "minimum: 90")
            .replacing("clients.yaml", with: "\(folder)/clients.yaml").write(
                to: file, atomically: true, encoding: .utf8)
        let enough = try await Probe.run([
            "fleet", "--fleet", file.path, "--chain", "\(folder)/chain.pem", "--at", "2021-10-01T00:00:00Z",
            "--format", format,
        ])
        #expect(enough.code == 0 && enough.output.contains("old-openssl"), "\(enough.errors)")
        #expect(!enough.output.contains("<failure") && !enough.output.contains("\"level\":\"error\""))
    }
}

/// The folders of the examples' replays.
enum Replay {
    static func folder(_ name: String) -> String {
        URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .appending(path: "Examples/replays/\(name)").path
    }
}
