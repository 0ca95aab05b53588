import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import Testing

/// `probe profile lint` and `probe profile forecast` from the command line.
@Suite(.bounded) struct ProfileLintCommandTests {
    private static let examples = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Examples").path
    private static let radio = "\(examples)/lutheran-radio"
    private static let at = ["--at", "2026-03-01T00:00:00Z"]

    private func lint(_ arguments: [String]) async throws -> Probe.Outcome {
        try await Probe.run(["profile", "lint"] + arguments)
    }

    @Test("[R34, R37, R38] errors are 65, warnings only with --strict")
    func exitCodes() async throws {
        let file = "\(Self.radio)/profile.yaml"
        let good = ["--txt", "\"dc,florida,\" \"tampa,atlanta\""]
        let warned = try await lint([file] + Self.at + good)
        #expect(warned.code == 0, "\(warned.output)\(warned.errors)")
        #expect(warned.output.contains("warning single-certificate-pin at hosts[0].pins[1]"))
        #expect(try await lint([file, "--strict"] + Self.at + good).code == 65)
        let wrong = try await lint([file, "--format", "json", "--txt", "\"dc,florida,tampa,stjohns\""] + Self.at)
        #expect(wrong.code == 65)
        let codes = Set(wrong.lines.compactMap { $0["code"] as? String })
        #expect(codes.isSuperset(of: ["model-not-published", "retired-model-listed"]))
        let schema = try Schema.load("probe-lint-1.schema.json")
        for line in wrong.lines { #expect(schema.violations(in: line) == []) }
    }

    @Test("[R52] what a reader passes over is a finding too") func notesOfTheReader() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "probe-lint-\(UUID()).plist")
        defer { try? FileManager.default.removeItem(at: file) }
        try """
        <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict>
        <key>NSAllowsArbitraryLoads</key><true/>
        <key>NSPinnedDomains</key><dict><key>*.example.com</key><dict><key>NSPinnedLeafIdentities</key><array><dict>
        <key>SPKI-SHA256-BASE64</key><string>XuAdGZ5Hy28pa2OHHMOry/fzpW8XyA5AV5bEDwSX2Ys=</string>
        </dict></array></dict></dict></dict></dict></plist>
        """.write(to: file, atomically: true, encoding: .utf8)
        let outcome = try await lint([file.path, "--format", "json"] + Self.at)
        #expect(outcome.code == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
        let codes = Set(outcome.lines.compactMap { $0["code"] as? String })
        #expect(codes.isSuperset(of: ["ats-exception", "never-matches"]))
        let schema = try Schema.load("probe-lint-1.schema.json")
        for line in outcome.lines { #expect(schema.violations(in: line) == []) }
        #expect(try await lint([file.path, "--strict"] + Self.at).code == 65)
    }

    @Test("[R11, R39] a chain from a file is held against the pins, window and next release")
    func chains() async throws {
        func codes(
            _ server: String, _ more: [String] = [], at instant: [String] = Self.at
        ) async throws -> Set<String> {
            let outcome = try await lint(
                [
                    "\(Self.radio)/profile.yaml", "--format", "json", "--chain",
                    "stream=\(Self.radio)/servers/\(server).pem",
                ] + instant + more)
            return Set(outcome.lines.compactMap { $0["code"] as? String })
        }
        #expect(try await codes("current").isDisjoint(with: ["no-pin-matches", "stale-pin", "window-end-differs"]))
        #expect(try await codes("unknown-key").contains("no-pin-matches"))
        let renewed = try await codes("renewed", at: ["--at", "2026-08-01T00:00:00Z"])
        #expect(renewed.contains("window-tolerates"))
        #expect(renewed.isDisjoint(with: ["no-pin-matches", "stale-pin", "window-end-differs"]))
        // Before it is open nothing is tolerated.
        let early = try await codes("renewed")
        #expect(early.contains("no-pin-matches") && !early.contains("window-tolerates"))
        #expect(
            try await codes("current", ["--next-release", "2026-12-01"]).contains("certificate-ends-before-release"))
        #expect(
            try await !codes("current", ["--next-release", "2026-08-01"]).contains("certificate-ends-before-release"))
    }

    /// Of several files the most plainly named one counts, in any order, as for a check.
    @Test func filesAreAssignedByTheirNames() async throws {
        func chain(_ subject: String, _ server: String) -> [String] {
            ["--chain", "\(subject)\(Self.radio)/servers/\(server).pem"]
        }
        let label = chain("stream=", "current")
        let host = chain("livestream.lutheran.radio=", "unknown-key")
        let file = "\(Self.radio)/profile.yaml"
        for arguments in [label + host, host + label] {
            let outcome = try await lint([file, "--format", "json"] + arguments + Self.at)
            #expect(!outcome.lines.contains { $0["code"] as? String == "no-pin-matches" }, "\(outcome.output)")
        }
        for subject in ["stream=", "livestream.lutheran.radio=", ""] {
            let twice = try await lint([file] + chain(subject, "current") + chain(subject, "renewed") + Self.at)
            #expect(twice.code == 64 && twice.errors.contains("two --chain are for"), "\(twice.errors)")
        }
    }

    /// A name's records are for each rule that asks it; of a rule's names the first with records answers.
    @Test func recordsAreOfTheirNames() async throws {
        try await ScratchFolder.withURL { folder in
            let file = folder.appending(path: "app.yaml").path
            func rule(_ model: String, _ hosts: String) -> String {
                "{model: \(model), hosts: [\(hosts)], registry: [{name: \(model), from: 2025-01-01}]}"
            }
            for (rules, isPublished) in [
                ([rule("dc", "a.test"), rule("nowhere", "a.test")], false),
                ([rule("florida", "a.test, b.test")], false), ([rule("dc", "a.test, b.test")], true),
                ([rule("florida", "c.test, b.test")], true),
            ] {
                try "profile: 1\nmodels: [\(rules.joined(separator: ", "))]\n"
                    .write(toFile: file, atomically: true, encoding: .utf8)
                let records = ["a.test=\"dc\"", "b.test=\"florida\""].filter { record in
                    rules.contains { $0.contains(record.prefix(6)) }
                }
                let lint = try await lint([file, "--format", "json"] + records.flatMap { ["--txt", $0] } + Self.at)
                let codes = lint.lines.compactMap { $0["code"] as? String }
                #expect(codes.contains("model-not-published") == !isPublished, "\(rules): \(lint.output)")
                #expect(!codes.contains("several-records"), "\(lint.output)")
            }
        }
    }

    @Test("[R53, R64, R106] the forecast as text and as JSON") func forecast() async throws {
        let arguments =
            ["profile", "forecast", "\(Self.radio)/profile.yaml", "--chain", "\(Self.radio)/servers/current.pem"]
            + Self.at
        let text = try await Probe.run(arguments)
        #expect(text.code == 0, "\(text.errors)")
        #expect(text.output.contains("398 days, 200 from 2026-03-15, 100 from 2027-03-15, 47 from 2029-03-15"))
        #expect(text.output.contains("certificate-expires: certificate fails"))
        let json = try await Probe.run(arguments + ["--format", "json"])
        let schema = try Schema.load("probe-forecast-1.schema.json")
        #expect(!json.lines.isEmpty)
        for line in json.lines { #expect(schema.violations(in: line) == []) }
        let end = json.lines.first {
            $0["event"] as? String == "certificate-expires" && $0["platform"] as? String == "certificate"
        }
        #expect(end?["date"] as? String == "2026-08-27T00:00:00Z")
        #expect(end?["result"] as? String == "fails")
    }

    @Test func liveServersAndListsAreAsked() async throws {
        let pki = LabPKI(epoch: .now)
        try await ScratchFolder.withURL { folder in
            try pki.rootPEM().write(to: folder.appending(path: "ca.pem"), atomically: true, encoding: .utf8)
            let stale = PinDigest.sha256(of: [1])
            let pin = PinDigest.sha256(of: try pki.identity(.good).key.spki)
            let profile = """
                profile: 1
                anchors: [ca.pem]
                services: {api: {url: good.test, pins: [{position: leaf, anyOf: ["spki:\(pin.hex)", "spki:\(stale.hex)"]}]}}
                """
            let file = folder.appending(path: "app.yaml").path
            try profile.write(toFile: file, atomically: true, encoding: .utf8)
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: pki) { server in
                let arguments = [file, "--live", "--connect", "\(server.endpoint)", "--format", "json"]
                let codes = try await lint(arguments).lines.compactMap { $0["code"] as? String }
                #expect(codes.contains("stale-pin"))
                #expect(!codes.contains("no-pin-matches"))
                let rows = try await Probe.run(["profile", "forecast"] + arguments).lines
                #expect(rows.contains { $0["event"] as? String == "certificate-expires" })
                // A service is asked as its check would ask, at its alternate too.
                try profile.replacing(
                    "url: good.test,",
                    with:
                        "url: good.test, connect: '127.0.0.1:1', alternates: ['https://localhost:\(server.endpoint.port)'],"
                ).write(toFile: file, atomically: true, encoding: .utf8)
                let alternate = try await lint([file, "--live", "--format", "json"]).lines.compactMap {
                    $0["code"] as? String
                }
                #expect(alternate.contains("stale-pin") && !alternate.contains("chain-not-seen"), "\(alternate)")
            }
            // A file that the profile names has to be there, and the one that it means.
            for (lines, words) in [
                ("anchors: [nothing.pem]", "nothing.pem can't be read"),
                (
                    "anchors: [ca.pem]\ndigests: {ca.pem: \"sha256:\(stale.hex)\"}",
                    "the profile has sha256:\(stale.hex)"
                ),
            ] {
                let faulty = folder.appending(path: "faulty.yaml").path
                try "profile: 1\n\(lines)\nservices: {}\n".write(toFile: faulty, atomically: true, encoding: .utf8)
                let lines = try await lint([faulty, "--format", "json"]).lines
                let finding = try #require(lines.first { $0["code"] as? String == "file-unusable" })
                #expect((finding["message"] as? String)?.contains(words) == true, "\(finding)")
            }
            // In another folder it is looked for there.
            let elsewhere = folder.appending(path: "elsewhere/app.yaml").path
            try FileManager.default.createDirectory(
                atPath: folder.path + "/elsewhere", withIntermediateDirectories: true)
            for (output, code) in [(elsewhere, Int32(65)), (folder.path + "/other.yaml", 0)] {
                let converted = try await Probe.run([
                    "profile", "convert", file, "--to", "native-yaml", "-o", output, "--strict",
                ])
                #expect(converted.code == code && converted.errors.contains("ca.pem: it is looked for") == (code == 65))
            }
            // Without the anchor a path is not found, so pins do not match; those of CAs are not called stale for it.
            let unknown = folder.appending(path: "unknown.yaml").path
            try """
            profile: 1
            services: {api: {url: good.test, pins: [{position: ca, anyOf: ["spki:\(stale.hex)"]}]}}
            """.write(toFile: unknown, atomically: true, encoding: .utf8)
            let chain = folder.appending(path: "chain.pem").path
            try LabIdentity.pem(pki.identity(.good).chain).write(toFile: chain, atomically: true, encoding: .utf8)
            let judged = try await lint([unknown, "--chain", "good.test=\(chain)", "--format", "json"])
            let undecided = judged.lines.compactMap { $0["code"] as? String }
            #expect(undecided.contains("chain-not-trusted") && undecided.contains("no-pin-matches"))
            #expect(!undecided.contains("stale-pin"))
            #expect(
                judged.output.contains("no pin of the set matches the chain that was given for api"), "\(judged.output)"
            )
            #expect(!judged.output.contains("configure the server"), "\(judged.output)")
            let dead = try await lint([file, "--live", "--connect", "127.0.0.1:1", "--format", "json"])
            #expect(dead.lines.contains { $0["code"] as? String == "chain-not-seen" })
            let both = try await lint([file, "--live", "--chain", "x.pem"])
            #expect(both.code == 64)
        }
    }

    /// A platform's own file has rules and no services: its hosts are checked.
    @Test func platformsOwnFiles() async throws {
        try await ScratchFolder.withURL { folder in
            let file = folder.appending(path: "network_security_config.xml").path
            try """
            <network-security-config><domain-config><domain>api.example.com</domain>
            <pin-set expiration="2025-01-01"><pin digest="SHA-256">\(PinDigest.sha256(of: [1]).base64)</pin></pin-set>
            </domain-config></network-security-config>
            """.write(toFile: file, atomically: true, encoding: .utf8)
            let outcome = try await lint([file] + Self.at)
            #expect(outcome.code == 65)
            #expect(outcome.output.contains("error pins-expired"))
            #expect(outcome.output.contains("warning no-backup-pin"))
            #expect(try await Probe.run(["profile", "forecast", file] + Self.at).output.contains("api.example.com"))
        }
    }
}
