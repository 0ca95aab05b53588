import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import ProbeTrust
import Testing

/// Named policies, expected certificates, emulated clients and the chain of pins on the command line.
@Suite(.bounded) struct PolicyCommandTests {
    private static let pki = LabPKI(epoch: .now)

    /// Runs `probe` against a lab server; in arguments `FOLDER` is a folder with `ca.pem`, and the leaf and the
    /// intermediate of the good identity as `leaf.pem` and `issuer.pem`.
    private func probe(_ identity: LabIdentityName, _ arguments: [String], name: String = "good.test") async throws
        -> Probe.Outcome
    {
        try await ScratchFolder.withURL { folder in
            let good = try Self.pki.identity(.good)
            for (file, text) in [
                ("ca.pem", try Self.pki.rootPEM()), ("roots.pem", try roots()), ("chain.pem", good.chainPEM),
                ("issuer.pem", good.issuersPEM),
            ] {
                try text.write(to: folder.appending(path: file), atomically: true, encoding: .utf8)
            }
            try Data(good.leaf).write(to: folder.appending(path: "leaf.der"))
            return try await LabServer.run(.tls(LabTLSRecipe(identity)), pki: Self.pki) { server in
                try await Probe.run(
                    ["--connect", "\(server.endpoint)"]
                        + (arguments.contains("--ca") ? [] : ["--ca", folder.path + "/ca.pem"])
                        + arguments.map { $0.replacing("FOLDER", with: folder.path) } + ["\(name):443"])
            }
        }
    }

    private func roots() throws -> String {
        try [LabAuthority.root, .otherRoot].map { CertificateFile.pem(try Self.pki.certificate(of: $0)) }.joined()
    }

    @Test("Where the stack takes another path than the reference verifier, a pin that is on one of them is 30.")
    func paths() async throws {
        let schema = try Schema.load("probe-1.schema.json")
        func run(_ authority: LabAuthority, _ arguments: [String] = []) async throws -> Probe.Outcome {
            let pin = PinDigest.sha256(of: try Self.pki.key(authority.recipe.key).spki)
            let outcome = try await probe(
                .twinIssuers,
                ["--ca", "FOLDER/roots.pem", "--pin", "spki@ca:sha256:\(pin.base64)", "--format", "json"] + arguments)
            for line in outcome.lines { #expect(schema.violations(in: line) == []) }
            return outcome
        }
        for authority in [LabAuthority.root, .otherRoot] {
            let outcome = try await run(authority)
            #expect(outcome.code == 30, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains("paths-differ"))
            let evidence = try #require(outcome.lines.first?["evidence"] as? [String: Any])
            let trust = try #require(evidence["trust"] as? [String: Any])
            #expect((trust["native"] as? [String: Any])?["path"] as? [Int] == [0, 1, 3])
            #expect((trust["reference"] as? [String: Any])?["path"] as? [Int] == [0, 2, 4])
            #expect(trust["furtherPaths"] as? [[Int]] == [])
        }
        #expect(try await run(.markedTwin).code == 0)
        #expect(try await run(.root, ["--trust", "native"]).code == 0)
        #expect(try await run(.otherRoot, ["--trust", "native"]).code == 10)
        #expect(try await run(.otherRoot, ["--trust", "reference"]).code == 0)
    }

    @Test("[R52] --policy ats passes what satisfies it, and is 12 for what does not.")
    func transportSecurity() async throws {
        let good = try await probe(.good, ["--policy", "ats"])
        #expect(good.code == 0 && good.output.contains("ats-satisfied"), "\(good.output)\(good.errors)")
        let long = try await probe(.lasting826Days, ["--policy", "ats", "--backend", "openssl", "--format", "json"])
        #expect(long.code == 12, "\(long.output)\(long.errors)")
        #expect(long.lines.first?["outcome"] as? String == "tls-policy-failed")
        #expect(long.lines.first?["stage"] as? String == "trust")
        #expect(try await probe(.lasting826Days, []).code == 0)
    }

    @Test("what is given twice is judged once") func repeated() async throws {
        for (option, code) in [
            (["--policy", "ats"], "ats-satisfied"),
            (["--expect-certificate", "FOLDER/leaf.der"], "certificate-matched"),
        ] {
            let outcome = try await probe(.good, option + option + ["--backend", "openssl"])
            #expect(outcome.code == 0, "\(outcome)")
            #expect(outcome.output.components(separatedBy: code).count == 2, "\(outcome.output)")
        }
    }

    @Test("[R88, R89] --expect-certificate compares attribute by attribute, at a position, in PEM or DER.")
    func expectedCertificates() async throws {
        for (identity, expected, code, words) in [
            (.good, ["FOLDER/leaf.der"], 0, "certificate-matched"), (.good, ["FOLDER/leaf.der@leaf"], 0, "hash equal"),
            (.good, ["FOLDER/issuer.pem@ca", "FOLDER/leaf.der"], 0, "certificate 1"),
            (.good, ["FOLDER/issuer.pem@leaf"], 10, "certificate-differs"),
            (.renewedSameKey, ["FOLDER/leaf.der"], 10, "public key equal"),
            (.renewedSameKey, ["FOLDER/chain.pem"], 0, "certificate 1"),
        ] as [(LabIdentityName, [String], Int32, String)] {
            let outcome = try await probe(identity, expected.flatMap { ["--expect-certificate", $0] })
            #expect(outcome.code == code, "\(expected) \(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains(words), "\(expected) \(outcome.output)")
        }
    }

    @Test("[R86] --emulate minvws says where the client's reading of the name differs.")
    func emulation() async throws {
        #expect(try await probe(.good, ["--emulate", "minvws"]).code == 0)
        #expect(try await probe(.wildcard, [], name: "a.wild.test").code == 0)
        let outcome = try await probe(.wildcard, ["--emulate", "minvws"], name: "a.wild.test")
        #expect(outcome.code == 11)
        #expect(outcome.output.contains("emulation-differs"))
    }

    @Test("[R57] --pin-chain presented looks at what the server sent alone.")
    func pinChain() async throws {
        let root = PinDigest.sha256(of: try Self.pki.key(LabAuthority.root.recipe.key).spki)
        let pin = ["--pin", "spki@any:sha256:\(root.base64)"]
        #expect(try await probe(.good, pin).code == 0)
        #expect(try await probe(.good, pin + ["--pin-chain", "presented"]).code == 10)
        #expect(try await probe(.rootIncluded, pin + ["--pin-chain", "presented"]).code == 0)
        // A certificate that was only sent along.
        let other = PinDigest.sha256(of: try Self.pki.key(LabAuthority.otherIntermediate.recipe.key).spki)
        let appended = try await probe(
            .extraCertificates, ["--pin", "spki@any:sha256:\(other.base64)", "--pin-chain", "presented"])
        #expect(appended.code == 0 && appended.output.contains("pin-not-validated"), "\(appended.output)")
        #expect(!appended.output.contains("effective scope"))
    }

    @Test("everything is shown of a server that passes too") func evidenceOfAPass() async throws {
        let brief = try await probe(.good, [])
        #expect(brief.code == 0 && !brief.output.contains("evidence"))
        let whole = try await probe(.good, ["--verbose"])
        #expect(whole.code == 0)
        #expect(whole.output.components(separatedBy: "evidence: the chain as").count == 2, "\(whole.output)")
        #expect(whole.output.contains("names good.test") && whole.output.contains("spki   "))
    }

    @Test("[R87] The alternative names are listed in text and JSON.")
    func alternativeNames() async throws {
        let text = try await probe(.wrongName, ["--verbose"])
        #expect(text.output.contains("names wrong.test"), "\(text.output)")
        let json = try await probe(.good, ["--format", "json", "--backend", "openssl"])
        let chain = (json.lines.first?["evidence"] as? [String: Any])?["chain"] as? [[String: Any]]
        #expect(chain?.first?["dnsNames"] as? [String] == ["good.test", "www.good.test"])
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-names-\(UUID()).pem")
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.pki.identity(.good).chainPEM.write(to: folder, atomically: true, encoding: .utf8)
        let pins = try await Probe.run(["pins", folder.path])
        #expect(pins.output.contains("names   good.test www.good.test"), "\(pins.output)")
    }
}
