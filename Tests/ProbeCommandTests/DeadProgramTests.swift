import Foundation
import ProbeTestSupport
import Testing

/// A program that exits before it reports its identity.
@Suite(.bounded) struct DeadProgramTests {
    /// Runs `body` with a folder in which a transport and a resolver are that end at once.
    private func withFolder(_ body: (String) async throws -> Void) async throws {
        try await ScratchFolder.withURL { folder in
            for kind in ["transport", "resolver"] {
                let path = folder.appending(path: "probe-\(kind)-dead").path
                try "#!/bin/sh\nexit 3\n".write(toFile: path, atomically: true, encoding: .utf8)
                try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
            }
            try await body(folder.path)
        }
    }

    @Test func inAFolderItCostsItsOwnProbes() async throws {
        try await withFolder { folder in
            let outcome = try await Probe.run([
                "--plugin-path", folder, "--connect", "127.0.0.1:1", "--format", "json", "a.test",
            ])
            #expect(outcome.code == 70)
            #expect(outcome.errors.contains("probe-transport-dead' is not a transport that can be used: program-ended"))
            let outcomes = outcome.lines.map { "\($0["transport"] ?? "") \($0["outcome"] ?? "")" }
            #expect(outcomes.count == 5 && outcomes.count { $0.hasSuffix(" unreachable") } == 4)
            #expect(outcomes.contains("dead internal-error"))
            #expect(outcome.output.contains("program-ended"))
        }
    }

    @Test func aResolverCostsItsOwnQueries() async throws {
        try await withFolder { folder in
            let outcome = try await Probe.run([
                "models", "--plugin-path", folder, "--dns-server", "127.0.0.1:1", "--resolver", "dead,ldns",
                "--format", "json", "a.test",
            ])
            let outcomes = outcome.lines.map { "\($0["resolver"] ?? "") \($0["outcome"] ?? "")" }
            #expect(outcomes.count == 2, "\(outcome.output) \(outcome.errors)")
            #expect(outcomes.contains("ldns dns-indeterminate"))
            #expect(outcome.output.contains("program-ended"))
        }
    }

    @Test func whereItIsNamedItIsAnError() async throws {
        try await withFolder { folder in
            let outcome = try await Probe.run([
                "--plugin", "\(folder)/probe-transport-dead", "--connect", "127.0.0.1:1", "a.test",
            ])
            #expect(outcome.code == 65 && outcome.output.isEmpty)
            #expect(outcome.errors.contains("probe-transport-dead' is not a transport that can be used: program-ended"))
        }
    }
}
