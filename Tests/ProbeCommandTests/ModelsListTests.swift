import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// `probe models --list`: many names, each with its lines, and a manifest.
@Suite(.bounded) struct ModelsListTests {
    private static func zone() throws -> LabDNSZone {
        LabDNSZone(
            [try DNSName("other.test"): .answer(.txt("dc,houston"))], otherwise: .answer(.txt("dc,florida")))
    }

    private func listing(_ text: String, _ body: (String) async throws -> Void) async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "probe-names-\(UUID()).txt").path
        try text.write(toFile: path, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: path) }
        try await body(path)
    }

    @Test func eachNameHasItsLines() async throws {
        let names = (0..<300).map { "n\($0).test" }
        let text = "# names\n\n" + names.joined(separator: "\n") + "\n  other.test \r\nno name\nbücher.test"
        let (line, manifest) = (
            try Schema.load("probe-1.schema.json"), try Schema.load("probe-models-1.schema.json")
        )
        try await LabDNSServer.run(try Self.zone()) { server in
            try await listing(text) { path in
                let outcome = try await Probe.run([
                    "models", "first.test", "--list", path, "--model", "florida", "--resolver", "ldns,cares",
                    "--dns-server", "\(server.endpoint)",
                ])
                #expect(outcome.code == 13, "\(outcome.errors)")
                let lines = outcome.lines
                let results = lines.filter { $0["schema"] as? String == "probe/1" }
                for each in results { #expect(line.violations(in: each) == []) }
                #expect(results.count == 2 * 303)
                let found = Dictionary(grouping: results) { $0["target"] as? String ?? "" }
                for name in names {
                    #expect(found[name]?.map { $0["outcome"] as? String } == ["pass", "pass"], "\(name)")
                }
                #expect(
                    found["other.test"]?.map { $0["outcome"] as? String } == ["model-not-listed", "model-not-listed"])
                #expect(found["xn--bcher-kva.test"]?.first?["unicode"] as? String == "bücher.test")
                let place = try #require(found["n7.test"]?.first?["scan"] as? [String: Any])
                #expect(place["line"] as? Int == 10)
                let last = try #require(lines.last)
                #expect(manifest.violations(in: last) == [])
                #expect(last["complete"] as? Bool == true)
                let counts = try #require(last["counts"] as? [String: Any])
                #expect(counts["targets"] as? Int == 303)
                #expect(counts["malformed"] as? Int == 1)
                let malformed = lines.filter { $0["schema"] as? String == "probe-scan-error/1" }
                #expect(malformed.map { $0["line"] as? Int } == [304])
            }
        }
    }

    @Test(
        "a name has one form in results, however it was written and given",
        arguments: [
            ("Models.TEST.", "models.test", nil), ("bücher.test", "xn--bcher-kva.test", "bücher.test"),
        ] as [(String, String, String?)])
    func oneForm(written: String, target: String, unicode: String?) async throws {
        try await LabDNSServer.run(try Self.zone()) { server in
            let common = ["--model", "florida", "--resolver", "ldns", "--dns-server", "\(server.endpoint)"]
            let alone = try await Probe.run(["models", written, "--format", "json"] + common)
            try await listing(written) { path in
                let listed = try await Probe.run(["models", "--list", path] + common)
                for line in [try #require(alone.lines.first), try #require(listed.lines.first)] {
                    #expect(line["target"] as? String == target)
                    #expect(line["unicode"] as? String == unicode)
                }
            }
        }
    }

    @Test("names before the fault of a file are asked about") func brokenList() async throws {
        try await LabDNSServer.run(try Self.zone()) { server in
            try await listing("a.test\nb.test\nother.test\n") { path in
                let outcome = try await Probe.shell(
                    """
                    gzip -c '\(path)' | head -c -4 > '\(path).gz'
                    "$0" models --list '\(path).gz' --model florida --resolver ldns --dns-server '\(server.endpoint)'
                    code=$?; rm '\(path).gz'; exit $code
                    """)
                #expect(outcome.code == 65 && outcome.errors.contains("cut short"), "\(outcome.errors)")
                let results = outcome.lines.filter { $0["schema"] as? String == "probe/1" }
                #expect(results.map { $0["target"] as? String } == ["a.test", "b.test", "other.test"])
                #expect(outcome.lines.last?["complete"] as? Bool == false)
            }
        }
    }

    @Test func aPipeIsReadToItsEnd() async throws {
        try await LabDNSServer.run(try Self.zone()) { server in
            let outcome = try await Probe.shell(
                "seq 1000 | sed 's/.*/n&.test/' | $0 models --list - --resolver ldns --dns-server \(server.endpoint) --concurrency 3"
            )
            #expect(outcome.code == 0, "\(outcome.errors)")
            #expect(outcome.lines.count == 1001)
        }
    }

    @Test(
        arguments: [
            (["--concurrency", "5", "a.test"], "--concurrency is of no use without --list"),
            (["--concurrency", "5", "a.test", "--authoritative"], "--concurrency is of no use without --list"),
            (["--list", "LIST", "--cache", "default"], "--cache is of no use with --list"),
            (["--list", "LIST", "--format", "csv"], "--list is answered in JSON lines alone"),
            (["--list", "LIST", "--format", "text"], "--list is answered in JSON lines alone"),
            (["--list", "LIST", "--verbose"], "--list is answered in JSON lines alone"),
            (["--list", "LIST", "--authoritative"], "--list and --authoritative are given"),
            (["a.test", "b.test", "--authoritative"], "about the zone of one name"),
            (["a.test", "--authoritative", "--cache", "default"], "--cache is of no use with --authoritative"),
            (["a.test", "--name-server-port", "54"], "--name-server-port is of no use without --authoritative"),
            (
                ["--list", "LIST", "--name-server-port", "54"],
                "--name-server-port is of no use without --authoritative"
            ),
            (["--list", "/nowhere/at/all"], "can't be read"),
        ])
    func whatDoesNotApplyIsRefused(arguments: [String], words: String) async throws {
        try await listing("a.test\n") { path in
            let outcome = try await Probe.run(
                ["models", "--dns-server", "127.0.0.1:1", "--resolver", "ldns"]
                    + arguments.map { $0 == "LIST" ? path : $0 })
            #expect(outcome.code == (words.contains("read") ? 65 : 64))
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    @Test func anEmptyListIsAnError() async throws {
        try await listing("# nothing\n") { path in
            let outcome = try await Probe.run(["models", "--dns-server", "127.0.0.1:1", "--list", path])
            #expect(outcome.code == 65)
        }
    }
}
