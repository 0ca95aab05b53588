import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import Testing

/// The commands that `docs/coming-from.md` gives to people who know another tool.
@Suite(.bounded) struct ComingFromTests {
    private static let pki = LabPKI(epoch: .now)

    /// Our commands on the page: what is code and begins with `probe`, in its tables and its text.
    static let commands: [String] = {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/coming-from.md")
        let text = (try? String(contentsOf: page, encoding: .utf8)) ?? ""
        return text.matches(of: #/`(probe [^`]+)`/#).map { String($0.1) }
    }()

    /// Runs a command as a person would, in a folder with the files that the page names, against servers of ours.
    private func run(_ command: String, web: Endpoint, mail: Endpoint, in folder: String) async throws {
        let pin = PinDigest.sha256(of: try Self.pki.identity(.good).key.spki).base64
        var line = command.dropFirst("probe".count)
            .replacing("127.0.0.1:8443", with: "\(web)").replacing("BASE64", with: pin)
            .replacing(#/--timeout \d+/#, with: "--timeout 1000")
            // Nobody listens there.
            .replacing("proxy.example:3128", with: "127.0.0.1:1")
        let isOffline = ["--chain", "roots trust", "serve "].contains { line.contains($0) }
        if !isOffline, !line.contains("--connect"), !line.contains("--proxy") {
            line += " --connect \(line.contains("mail.example") ? mail : web)"
        }
        line = line.replacing("shop.example", with: "good.test").replacing("mail.example", with: "good.test")
        // A server of ours has a CA of ours, and all the time that a busy machine needs. What judges by a store takes no CA.
        let judgesOtherwise = ["--ca ", "--client ", "survey ", "roots trust", "serve "].contains { line.contains($0) }
        if !judgesOtherwise { line += " --ca ca.pem" }
        if !line.contains("--timeout"), !isOffline { line += " --timeout 1000" }
        if line.contains("serve "), !line.contains("--config.check") { line += " --config.check" }
        let outcome = try await Probe.shell("cd '\(folder)' && \"$0\"\(line)")
        // What fails for a reason of its own: no proxy is there, and no store or client ever trusted the lab.
        let failures: [(String, Int32)] = [("--proxy ", 20), ("--client ", 11), ("roots trust", 11)]
        let expected = failures.first { line.contains($0.0) }?.1 ?? 0
        #expect(outcome.code == expected, "\(command): \(line)\n\(outcome.output)\(outcome.errors)")
    }

    @Test func everyCommandRuns() async throws {
        #expect(Self.commands.count > 30)
        try await ScratchFolder.with { folder in
            func write(_ text: String, _ name: String) throws {
                try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
                try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(folder)/\(name)")
            }
            let client = try Self.pki.identity(.clientPurpose)
            try write(try Self.pki.rootPEM(), "ca.pem")
            try Data(Self.pki.encode(LabRevocationList())).write(to: URL(filePath: "\(folder)/crl.pem"))
            try write("good.test\n", "hosts.txt")
            try write(try Self.pki.identity(.good).chainPEM, "chain.pem")
            try write(client.chainPEM, "client.pem")
            try write(client.keyPEM, "client.key")
            try write("modules: {web: {prober: http}}\n", "blackbox.yml")
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { web in
                try await LabServer.run(.tls(LabTLSRecipe(.good, dialogue: LabDialogue(.smtp, nil))), pki: Self.pki) {
                    mail in
                    for command in Self.commands {
                        try await run(command, web: web.endpoint, mail: mail.endpoint, in: folder)
                    }
                }
            }
        }
    }
}
