import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import Testing

/// An external profile counts only if a trusted signer signed it.
@Suite(.bounded) struct SignedProfileTests {
    private static let pki = LabPKI(epoch: .now)

    /// A profile that pins the lab's good server, signed, and who may sign; gone with it.
    private final class Manifest {
        let folder: String

        /// - Parameter digests: the lines that cover the files; nil covers the current `root.pem`.
        init(anchors: String = "[root.pem]", digests: String? = nil) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "probe-manifest-\(UUID())").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            let pin = PinDigest.sha256(of: try pki.identity(.good).key.spki).base64
            let root = PinDigest.sha256(of: Array(try pki.rootPEM().utf8)).hex
            let text = """
                profile: 1
                anchors: \(anchors)
                services: {api: {url: "https://good.test", pins: [{anyOf: [spki:\(pin)]}]}}
                \(digests ?? "digests: {root.pem: 'sha256:\(root)'}")
                """
            try write(text, "app.yaml")
            let recipe = LabCMSRecipe("manifest") { $0.content = Array(text.utf8) }
            try Data(try pki.sign(recipe).bytes).write(to: URL(filePath: "\(folder)/app.p7s"))
            try write(try pki.rootPEM(), "root.pem")
            try write(#"[{"name": "lab", "certificate": "root.pem"}]"#, "signers.json")
            try write("profile: 1\nsigners: [{name: lab, certificate: root.pem}]", "signers.yaml")
            try write(#"[{"name": "lab", "certificate": "root.pem", "commonName": "somebody else"}]"#, "others.json")
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func write(_ text: String, _ name: String) throws {
            try text.write(toFile: "\(folder)/\(name)", atomically: true, encoding: .utf8)
        }

        func check(at server: LabServer, signers: String, _ more: [String] = []) async throws -> Probe.Outcome {
            try await Probe.run(
                [
                    "check", "--profile", "\(folder)/app.yaml", "--signature", "\(folder)/app.p7s", "--signers",
                    "\(folder)/\(signers)", "--backend", "openssl", "--connect", server.endpoint.description,
                ] + more)
        }
    }

    @Test("[R84, R90] a signed profile is checked", arguments: ["signers.json", "signers.yaml"])
    func aSignedProfileIsChecked(signers: String) async throws {
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
            let outcome = try await Manifest().check(at: server, signers: signers)
            #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
            #expect(server.acceptedConnections == 1)
        }
    }

    @Test("[R84, R92] a profile that was changed, or that nobody trusted signed, is not looked at")
    func anotherProfileIsRefused() async throws {
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
            let manifest = try Manifest()
            let other = try await manifest.check(at: server, signers: "others.json")
            #expect(other.code == 15, "\(other.output)\(other.errors)")
            try manifest.write("profile: 1\nunlistedHost: system\nservices: {api: good.test}", "app.yaml")
            let changed = try await manifest.check(at: server, signers: "signers.json")
            #expect(changed.code == 15)
            #expect(changed.errors.contains("openssl: content-mismatch: ") && changed.errors.contains("gnutls: "))
            #expect(changed.errors.contains("exactly as it was signed"), "\(changed.errors)")
            // A plugin has a state for it, and one line.
            let alarm = try await manifest.check(at: server, signers: "signers.json", ["--format", "nagios"])
            #expect(alarm.code == 2, "\(alarm.errors)")
            #expect(alarm.output.hasPrefix("PROBE CRITICAL - ") && alarm.output.contains("content-mismatch"))
            #expect(server.acceptedConnections == 0)
        }
    }

    @Test("[R84] a signature covers the files that the profile names") func namedFilesAreCovered() async throws {
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
            let overwritten = try Manifest()
            try overwritten.write(try Self.pki.identity(.good).issuersPEM, "root.pem")
            let changed = try await overwritten.check(at: server, signers: "signers.json")
            #expect(changed.code == 65, "\(changed.output)\(changed.errors)")
            #expect(changed.errors.contains("root.pem") && changed.errors.contains("digest"), "\(changed.errors)")
            let open = try Manifest(digests: "")
            let uncovered = try await open.check(at: server, signers: "signers.json")
            #expect(uncovered.code == 65)
            let printed = try await Probe.run(["profile", "digests", "\(open.folder)/app.yaml"])
            let digest = try #require(printed.output.split(separator: " ").last).trimmingCharacters(in: .newlines)
            #expect(uncovered.errors.contains("digests: {\"root.pem\": \"\(digest)\"}"), "\(uncovered.errors)")
            #expect(server.acceptedConnections == 0)
            // Its own bytes are signed, so an anchor inside of it is.
            let pem = try Self.pki.rootPEM().split(separator: "\n").map { "  \($0)" }.joined(separator: "\n")
            let inline = try Manifest(anchors: "|\n\(pem)", digests: "")
            #expect(try await inline.check(at: server, signers: "signers.json").code == 0)
        }
    }

    @Test func halfOfASignatureIsNone() async throws {
        for arguments in [
            ["--profile", "app.yaml", "--signature", "app.p7s"], ["--signature", "a", "--signers", "b", "good.test"],
        ] {
            #expect(try await Probe.run(["check"] + arguments).code != 0)
        }
    }
}
