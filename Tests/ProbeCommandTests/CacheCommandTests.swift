import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Subprocess
import Testing

/// `--cache` and `probe cache` from the command line.
@Suite(.bounded) struct CacheCommandTests {
    /// Returns an allow-list, and a folder of one's own.
    private func withList(_ body: (LabDNSServer, String) async throws -> Void) async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-cache-\(UUID())").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        try await LabDNSServer.run(LabDNSZone([try DNSName("models.test"): .answer(.txt("dc,florida"))])) { server in
            try await body(server, folder)
        }
    }

    private func ask(
        _ server: LabDNSServer, _ arguments: [String], environment: Environment = .inherit
    ) async throws -> Probe.Outcome {
        try await Probe.run(
            [
                "models", "models.test", "--model", "florida", "--dns-server", "\(server.endpoint)", "--resolver",
                "ldns", "--format", "json",
            ] + arguments, environment: environment)
    }

    private func codes(_ outcome: Probe.Outcome) -> [String] {
        (outcome.lines.first?["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
    }

    @Test("[R25, R31, R32] a success is used until it is forgotten or left out, and the log says so")
    func remembered() async throws {
        let schema = try Schema.load("probe-1.schema.json")
        try await withList { server, folder in
            let cache = ["--cache", folder, "--log-level", "debug"]
            let steps: [([String], String, String)] = [
                ([], "model-listed", ""), ([], "model-listed", ""),
                (cache, "model-listed", "Cached new successful validation"),
                (cache, "model-cached", "Using cached validation (last: "),
                (cache + ["--no-cache"], "model-listed", ""),
                (cache + ["--dnssec", "off", "--txt-strings", "separate"], "model-listed", "Cached new"),
                (cache + ["--cache-lifetime", "3600"], "model-cached", "Using cached"),
            ]
            for (arguments, code, log) in steps {
                let outcome = try await ask(server, arguments)
                #expect(outcome.code == 0 && codes(outcome) == [code], "\(outcome.output) \(outcome.errors)")
                #expect(log.isEmpty ? !outcome.errors.contains("ached") : outcome.errors.contains(log))
                for line in outcome.lines { #expect(schema.violations(in: line) == []) }
            }
            let cleared = try await Probe.run(["cache", "clear", "--cache", folder])
            #expect(cleared.code == 0 && cleared.output == "forgot 2 successes\n", "\(cleared.output)")
            #expect(codes(try await ask(server, cache)) == ["model-listed"])
        }
    }

    @Test func aFilesNameHasNoControlCharacters() async throws {
        try await ScratchFolder.withURL { folder in
            let shown = try await Probe.run(["cache", "show", "--cache", "\(folder.path)/a\u{1b}b"])
            #expect(shown.code == 0 && shown.output.contains("a\\u{1b}b does not exist"), "\(shown)")
        }
    }

    @Test("[R32] the standard place is the user's cache folder; without --cache nothing is written")
    func standardPlace() async throws {
        try await withList { server, folder in
            let environment = Environment.inherit.updating(["XDG_CACHE_HOME": folder])
            _ = try await ask(server, [], environment: environment)
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            let none = try await Probe.run(["cache"], environment: environment)
            #expect(none.code == 0 && none.output.hasPrefix("0 remembered"), "\(none.output)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == [])
            _ = try await ask(server, ["--cache", "default"], environment: environment)
            let shown = try await Probe.run(["cache", "show", "--format", "json"], environment: environment)
            let line = try #require(shown.lines.first)
            #expect(shown.lines.count == 1 && Set(line.keys) == ["kind", "key", "validated", "lifetime", "counts"])
            #expect(line["kind"] as? String == "model" && line["counts"] as? Bool == true)
            #expect(!shown.output.contains("florida") && !shown.output.contains("models.test"))
            let text = try await Probe.run(["cache", "show"], environment: environment)
            #expect(text.output.contains("1 remembered and 0 baselines in \(folder)/probe/probe.sqlite"))
        }
    }

    @Test("a cache that can't be used is a line on standard error, and no other verdict")
    func unusable() async throws {
        try await withList { server, folder in
            let file = "\(folder)/notes.txt"
            try "my notes".write(toFile: file, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: file)
            let outcome = try await ask(server, ["--cache", file])
            #expect(outcome.code == 0 && codes(outcome) == ["model-listed"])
            #expect(outcome.errors.split(separator: "\n").count == 1 && outcome.errors.contains(file))
            #expect(try String(contentsOfFile: file, encoding: .utf8) == "my notes")
            #expect(try await Probe.run(["cache", "show", "--cache", file]).code == 65)
            #expect(try await Probe.run(["cache", "clear", "--cache", file]).code == 65)
            try FileManager.default.setAttributes([.posixPermissions: 0o666], ofItemAtPath: file)
            let others = try await ask(server, ["--cache", file])
            #expect(others.code == 65 && others.errors.contains("others can write"))
        }
    }

    @Test("a good cache on a full disk is not one to remove", arguments: ["show", "clear"])
    func fullDisk(_ command: String) async throws {
        try await withList { server, folder in
            #expect(try await ask(server, ["--cache", folder]).code == 0)
            // SQLite makes a file of 32 KiB beside it.
            let outcome = try await Probe.shell(
                "trap '' XFSZ; ulimit -f 16; \"$0\" cache \(command) --cache '\(folder)'")
            #expect(outcome.code == 65 && outcome.errors.contains("make room on its disk"), "\(outcome.errors)")
            #expect(!outcome.errors.contains("remove it"), "\(outcome.errors)")
        }
    }

    @Test("a name that SQLite takes for something else is a file's", arguments: [":memory:", "file:y?mode=memory"])
    func namesOfSQLite(_ name: String) async throws {
        try await withList { server, folder in
            let outcome = try await Probe.shell(
                """
                cd '\(folder)' && "$0" models models.test --model florida --dns-server \(server.endpoint) \
                    --resolver ldns --cache '\(name)' > asked && "$0" cache show --cache '\(name)' --format json
                """)
            #expect(outcome.code == 0 && outcome.errors.isEmpty && outcome.lines.count == 1, "\(outcome)")
            #expect(FileManager.default.fileExists(atPath: "\(folder)/\(name)"))
        }
    }

    @Test(
        "options that make no sense are named",
        arguments: [
            ["--cache", "default", "--at", "2026-11-01T00:00:00Z"],
            ["--cache-lifetime", "604801"], ["--cache", ""],
        ])
    func badOptions(_ arguments: [String]) async throws {
        let outcome = try await Probe.run(["models", "models.test", "--dns-server", "127.0.0.1:1"] + arguments)
        #expect(outcome.code == 64 && outcome.errors.contains(arguments[0]), "\(outcome.errors)")
    }

    @Test("[R73] a watch that is started anew holds the server to what it saw before") func watchRemembers()
        async throws
    {
        let pki = LabPKI(epoch: .now)
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-cache-\(UUID())").path
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        defer { try? FileManager.default.removeItem(atPath: folder) }
        let ca = "\(folder)/ca.pem"
        try pki.rootPEM().write(toFile: ca, atomically: true, encoding: .utf8)
        func watch(_ identity: LabIdentityName) async throws -> Probe.Outcome {
            try await LabServer.run(.tls(LabTLSRecipe(identity)), pki: pki) { server in
                try await Probe.run([
                    "watch", "--rounds", "1", "--backend", "openssl", "--ca", ca, "--cache", folder, "--format", "json",
                    "--connect", "\(server.endpoint)", "good.test",
                ])
            }
        }
        #expect(try await watch(.good).lines.compactMap { $0["kind"] as? String } == ["status"])
        #expect(try await watch(.p384).lines.compactMap { $0["kind"] as? String } == ["status", "drift"])
    }
}
