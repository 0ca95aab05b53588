import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// Servers whose TLS is not reached by connecting alone, through the whole command.
@Suite(.bounded) struct ReachCommandTests {
    private static let pki = LabPKI(epoch: .now)

    /// Runs commands with a folder that has the root's certificate as `ca.pem`.
    private static func with<Result>(_ body: (String) async throws -> Result) async throws -> Result {
        try await ScratchFolder.withURL { folder in
            try pki.rootPEM().write(to: folder.appending(path: "ca.pem"), atomically: true, encoding: .utf8)
            return try await body(folder.path)
        }
    }

    private static func server(_ known: StartTLS, _ fault: LabDialogue.Fault? = nil) -> LabPeer {
        .tls(LabTLSRecipe(.good, dialogue: LabDialogue(known, fault)))
    }

    @Test("a protocol that starts TLS is named by an option or by the scheme, in a profile and in a list too")
    func startTLS() async throws {
        try await Self.with { folder in
            try await LabServer.run(Self.server(.imap), pki: Self.pki) { server in
                let connect = ["--connect", "\(server.endpoint)", "--ca", "\(folder)/ca.pem", "--timeout", "60"]
                try "profile: 1\nunlistedHost: system\nservices: {mail: \"imap://good.test\"}\n".write(
                    toFile: "\(folder)/mail.yaml", atomically: true, encoding: .utf8)
                let lines = [
                    ["check", "--starttls", "imap", "good.test"], ["check", "imap://good.test"],
                    ["check", "--profile", "\(folder)/mail.yaml"], ["compare", "imap://good.test"],
                    ["pins", "--starttls", "imap", "good.test"], ["scan", "imap://good.test"],
                    ["scan", "--starttls", "imap", #"{"target":"good.test"}"#],
                ]
                for line in lines {
                    let found = try await Probe.run(line + connect + ["--format", "json"])
                    #expect(found.code == 0, "\(line) \(found.output)\(found.errors)")
                    guard line[0] == "check" else { continue }
                    #expect(found.lines.count == 4)
                    for result in found.lines {
                        #expect(result["target"] as? String == "imap://good.test:143")
                        let timings = (result["evidence"] as? [String: Any])?["timings"] as? [String: Any]
                        #expect((timings?["dialogue"] as? Double).map { $0 > 0 } == true, "\(result)")
                    }
                }
            }
        }
    }

    @Test("a server that does not start TLS is distinguished from one that does not answer, and the fix can be done")
    func refusals() async throws {
        try await Self.with { folder in
            let options = ["--ca", "\(folder)/ca.pem", "--backend", "openssl,curl", "--timeout", "60"]
            for (fault, words, fix) in [
                (LabDialogue.Fault.offersNone, "does not offer to start TLS", "write the target as https://HOST:PORT"),
                (.refuses, "refused to start TLS: \"454", "try later"),
                (.injects, "clear text follows the go-ahead for TLS", "update the server"),
            ] {
                try await LabServer.run(Self.server(.smtp, fault), pki: Self.pki) { server in
                    let found = try await Probe.run(options + ["--connect", "\(server.endpoint)", "smtp://good.test"])
                    #expect(found.code == 20, "\(found.output)")
                    #expect(found.output.contains(words), "\(found.output)")
                    #expect(found.output.contains(fix), "\(found.output)")
                }
            }
            // Without the option the greeting says which one is missing.
            try await LabServer.run(Self.server(.pop3), pki: Self.pki) { server in
                let found = try await Probe.run(options + ["--connect", "\(server.endpoint)", "good.test"])
                #expect(found.code == 20)
                #expect(found.output.contains("start TLS with --starttls pop3"), "\(found.output)")
            }
        }
    }

    @Test(arguments: [
        (["--starttls", "smpt", "good.test"], "did you mean 'smtp'?"),
        (["--starttls", "imap", "smtp://good.test"], "write imap://good.test"),
        (["--starttls", "smtp", "https://good.test"], "write smtp://good.test"),
        (["gopher://good.test"], "smtp://"),
        (["--starttls", "smtp", "--server-date", "always", "good.test"], "--server-date"),
        (["--starttls", "smtp", "--chain", "x.pem", "good.test"], "--starttls"),
        (["--starttls", "smtp", "--profile", "/dev/null"], "--starttls"),
    ])
    func contradictionsAreRefused(arguments: [String], words: String) async throws {
        let found = try await Probe.run(arguments)
        #expect(found.code == 64 || found.code == 65, "\(found)")
        #expect(found.errors.contains(words), "\(found.errors)")
    }
}
