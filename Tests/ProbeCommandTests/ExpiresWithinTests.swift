import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// `--expires-within` and the default warning, in every command that judges a connection. The lab's leaf has 60 days
/// left.
@Suite(.bounded) struct ExpiresWithinTests {
    private static let pki = LabPKI(epoch: .now)

    private func run(_ command: [String], _ arguments: [String]) async throws -> Probe.Outcome {
        try await ScratchFolder.withURL { folder in
            try Self.pki.rootPEM().write(to: folder.appending(path: "ca.pem"), atomically: true, encoding: .utf8)
            for limit in ["61d", "59d"] {
                let profile = "profile: 1\nunlistedHost: system\nexpiresWithin: \(limit)\nservices: {api: good.test}\n"
                try profile.write(to: folder.appending(path: "\(limit).yaml"), atomically: true, encoding: .utf8)
            }
            return try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
                try await Probe.run(
                    command + [
                        "--connect", "\(server.endpoint)", "--ca", folder.path + "/ca.pem", "--backend", "gnutls",
                    ]
                        + arguments.map { $0.replacing("FOLDER", with: folder.path) })
            }
        }
    }

    @Test(
        "every command fails as asked, and passes a day before",
        arguments: [
            ["check"], ["scan"], ["compare"], ["watch", "--rounds", "1"],
        ]) func failsAsAsked(command: [String]) async throws
    {
        for (limit, code) in [("61d", 11), ("59d", 0), ("1464h", 11), ("5000000", 0)] as [(String, Int32)] {
            let outcome = try await run(command, ["--expires-within", limit, "good.test"])
            #expect(outcome.code == code, "\(command) \(limit): \(outcome.output)\(outcome.errors)")
            // A comparison shows outcomes alone.
            if code == 11, command != ["compare"] {
                #expect(outcome.output.contains("certificate-expires-soon"), "\(outcome.output)")
            }
        }
    }

    @Test(
        "a profile says it too, and the command line goes before it",
        arguments: [
            (["--profile", "FOLDER/61d.yaml"], 11), (["--profile", "FOLDER/59d.yaml"], 0),
            (["--profile", "FOLDER/59d.yaml", "--expires-within", "61d"], 11),
            (["--profile", "FOLDER/61d.yaml", "--expires-within", "1d"], 0),
        ] as [([String], Int32)]) func profiles(arguments: [String], code: Int32) async throws
    {
        for command in ["check", "compare"] {
            let outcome = try await run([command], arguments)
            #expect(outcome.code == code, "\(outcome.output)\(outcome.errors)")
        }
    }

    @Test("four days before its end a certificate passes with a warning that has the date") func warning() async throws
    {
        let at = RFC3339.format(Self.pki.epoch.addingTimeInterval(56 * 86_400))
        let end = RFC3339.format(Self.pki.epoch.addingTimeInterval(60 * 86_400))
        let outcome = try await run(["check"], ["--at", at, "good.test"])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.output.contains("warning trust/certificate-expires-soon"))
        #expect(outcome.output.contains("ends on \(end), in 4 days"), "\(outcome.output)")
        let early = try await run(["check"], ["good.test"])
        #expect(!early.output.contains("certificate-expires-soon"))
    }

    @Test(arguments: ["21", "3d"]) func shortTimesPass(limit: String) async throws {
        #expect(try await run(["check"], ["--expires-within", limit, "good.test"]).code == 0)
    }

    @Test(arguments: ["check", "scan", "compare", "watch"]) func badInput(command: String) async throws {
        let outcome = try await Probe.run([command, "--expires-within", "3 weeks", "good.test"])
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains("--expires-within '3 weeks' is not a length of time"), "\(outcome.errors)")
    }
}
