import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Subprocess
import Testing

/// `probe signature` from the command line.
@Suite(.bounded) struct SignatureCommandTests {
    private static let pki = LabPKI(epoch: .now)

    /// The files of one question, gone with it.
    private final class Files: Sendable {
        let folder: String

        init(_ recipe: LabCMSRecipe = LabCMSRecipe("command"), signers: String? = nil) throws {
            folder = FileManager.default.temporaryDirectory.appending(path: "probe-signature-\(UUID())").path
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
            try write(recipe.content, "content")
            try write(try pki.sign(recipe).bytes, "signature")
            try write(Array(try pki.rootPEM().utf8), "root.pem")
            try write(Array((signers ?? #"[{"name": "lab", "certificate": "root.pem"}]"#).utf8), "signers.json")
        }

        deinit { try? FileManager.default.removeItem(atPath: folder) }

        func write(_ bytes: [UInt8], _ name: String) throws {
            try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
        }

        func run(_ arguments: [String] = [], environment: Environment = .inherit) async throws -> Probe.Outcome {
            try await Probe.run(
                [
                    "signature", "--content", "\(folder)/content", "--signature", "\(folder)/signature", "--signers",
                    "\(folder)/signers.json",
                ] + arguments, environment: environment)
        }
    }

    @Test("[R81, R90] a signature has a verdict of its own", arguments: ["openssl", "gnutls", "all"])
    func aGoodSignaturePasses(backend: String) async throws {
        let outcome = try await Files().run(["--backend", backend, "--format", "json"])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        #expect(outcome.lines.count == (backend == "all" ? 2 : 1))
        let schema = try Schema.load("probe-signature-1.schema.json")
        for line in outcome.lines {
            #expect(schema.violations(in: line) == [])
            #expect(line["outcome"] as? String == "pass")
            #expect(line["signer"] as? String == "lab")
        }
    }

    @Test("[R92] a bad or empty signature is fifteen") func badSignaturesAreFifteen() async throws {
        let schema = try Schema.load("probe-signature-1.schema.json")
        let files = try Files()
        for (name, bytes, code) in [
            ("content", Array("other".utf8), "content-mismatch"), ("signature", [], "empty"),
            ("signature", Array("none".utf8), "malformed"),
        ] {
            try files.write(bytes, name)
            let outcome = try await files.run(["--format", "json"])
            #expect(outcome.code == 15, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.lines.count == 2)
            for line in outcome.lines {
                #expect(schema.violations(in: line) == [])
                let findings = try #require(line["findings"] as? [[String: Any]])
                #expect(findings.first?["code"] as? String == code)
                #expect(findings.first?["stage"] as? String == "signature")
            }
        }
        let text = try await files.run()
        #expect(text.code == 15)
        #expect(text.output.contains("fix: "))
    }

    @Test func theInstantIsChosen() async throws {
        let later = RFC3339.format(Self.pki.epoch.addingTimeInterval(86_400 * 100))
        let outcome = try await Files().run(["--at", later])
        #expect(outcome.code == 15)
        #expect(outcome.output.contains("expired"))
    }

    /// At the last second of notAfter the stacks differ, as they do about servers.
    @Test func stacksThatDifferAreThirty() async throws {
        let files = try Files(
            LabCMSRecipe("ends-now") { $0.signers[0].certificate.validity = LabCertificateRecipe.days(-30, 0) })
        let outcome = try await files.run(["--at", RFC3339.format(Self.pki.epoch), "--format", "json"])
        #expect(outcome.code == 30, "\(outcome.output)")
        #expect(outcome.lines.map { $0["outcome"] as? String } == ["stacks-disagree", "pass"])
    }

    /// Not even if the environment names the system's anchors.
    @Test("[R85] the system's anchors never count") func theSystemIsNotTrusted() async throws {
        let files = try Files(
            LabCMSRecipe("system") {
                $0.signers[0].certificate = .signer("system", issuer: .otherIntermediate)
                $0.furtherAuthorities = [.otherRoot]
            })
        let root =
            "-----BEGIN CERTIFICATE-----\n"
            + Data(try Self.pki.certificate(of: .otherRoot)).base64EncodedString(
                options: [.lineLength64Characters, .endLineWithLineFeed]) + "\n-----END CERTIFICATE-----\n"
        try files.write(Array(root.utf8), "other.pem")
        let outcome = try await files.run(
            ["--format", "json"],
            environment: .inherit.updating(["SSL_CERT_FILE": "\(files.folder)/other.pem", "SSL_CERT_DIR": files.folder])
        )
        #expect(outcome.code == 15, "\(outcome.output)")
        #expect(outcome.output.contains("untrusted-signer"))
    }

    @Test(
        arguments: [
            ("[]", "nobody is named"), ("{}", "lacks 'profile'"), ("not JSON", "signers.json"),
            (#"[{"name": "lab"}]"#, "'certificate' is missing"),
            (#"[{"name": "lab", "certificate": "missing.pem"}]"#, "missing.pem can't be read"),
            (#"[{"name": "lab", "certificate": "content"}]"#, "holds no certificate"),
            (#"[{"name": "lab", "certificate": "root.pem", "comonName": "a"}]"#, "did you mean 'commonName'"),
            (#"[{"name": "lab", "certificate": "root.pem", "subjectKeyIdentifier": "xyz"}]"#, "not a key identifier"),
            (#"[{"name": "lab", "certificate": "root.pem", "rootSerial": "0x1"}]"#, "not a serial number"),
            (#"[{"name": "a", "certificate": "root.pem"}, {"name": "a", "certificate": "root.pem"}]"#, "two signers"),
        ])
    func badSignersFilesAreSixtyFive(json: String, words: String) async throws {
        let outcome = try await Files(signers: json).run()
        #expect(outcome.code == 65, "\(outcome.errors)")
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }

    @Test func badUsageIsSixtyFour() async throws {
        let files = try Files()
        #expect(try await files.run(["--backend", "always-allow"]).code == 64)
        #expect(try await files.run(["--at", "yesterday"]).code == 64)
        #expect(try await files.run(["--format", "sarif"]).code == 64)
        #expect(try await Probe.run(["signature", "--content", files.folder + "/content"]).code == 64)
        #expect(
            try await Probe.run(
                [
                    "signature", "--content", "\(files.folder)/none", "--signature", "\(files.folder)/signature",
                    "--signers", "\(files.folder)/signers.json",
                ]
            ).code == 65)
    }
}
