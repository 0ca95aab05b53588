import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import ProbeTrust
import Testing

/// `probe verify` from the command line.
@Suite(.bounded) struct VerifyCommandTests {
    private static let pki = LabPKI(epoch: .now)
    private static let stacks = ["openssl", "gnutls", "curl", "nio"]

    private func inFolder(_ body: (URL) async throws -> Void) async throws {
        try await ScratchFolder.withURL { folder in
            try Self.pki.rootPEM().write(to: folder.appending(path: "ca.pem"), atomically: true, encoding: .utf8)
            try await body(folder)
        }
    }

    private static func question(_ name: LabIdentityName, id: String, server: String = "dns:good.test") throws -> String
    {
        let chain = try pki.identity(name).chain.map { Data($0).base64EncodedString() }
        let object: [String: Any] = [
            "id": id, "leaf": try #require(chain.first), "intermediates": Array(chain.dropFirst()),
            "anchors": [try pki.rootPEM()], "name": server,
        ]
        return String(decoding: try JSONSerialization.data(withJSONObject: object), as: UTF8.self)
    }

    @Test(
        arguments: [
            (LabIdentityName.good, "good.test", 0, nil), (.good, "other.test", 11, "hostname-mismatch"),
            (.expired, "good.test", 11, "expired"), (.unknownIssuer, "good.test", 11, "unknown-issuer"),
        ]
            as [(LabIdentityName, String, Int32, String?)])
    func aChainFromAFile(identity: LabIdentityName, name: String, code: Int32, cause: String?) async throws {
        let schema = try Schema.load("probe-verify-1.schema.json")
        try await inFolder { folder in
            let file = folder.appending(path: "chain.pem")
            try Self.pki.identity(identity).chain.map(CertificateFile.pem).joined().write(
                to: file, atomically: true, encoding: .utf8)
            let arguments = [
                "verify", file.path, "--ca", folder.appending(path: "ca.pem").path, "--name", name,
            ]
            let json = try await Probe.run(arguments + ["--format", "json"])
            #expect(json.code == code, "\(json.output)\(json.errors)")
            #expect(json.lines.map { $0["transport"] as? String } == Self.stacks)
            for line in json.lines {
                #expect(schema.violations(in: line) == [])
                for verifier in ["native", "reference"] {
                    #expect((line[verifier] as? [String: Any])?["cause"] as? String == cause, "\(line)")
                }
            }
            let text = try await Probe.run(arguments)
            #expect(text.code == code)
            #expect(text.output.contains("reference"))
        }
    }

    /// The word is that of `probe check --chain` for the same chain.
    @Test func anAcceptedChainWithAWarningIsMarked() async throws {
        let schema = try Schema.load("probe-verify-1.schema.json")
        try await inFolder { folder in
            let leaf = folder.appending(path: "leaf.pem").path
            try CertificateFile.pem(try Self.pki.identity(.selfSigned).leaf).write(
                toFile: leaf, atomically: true, encoding: .utf8)
            let json = try await Probe.run([
                "verify", leaf, "--ca", leaf, "--name", "good.test", "--format", "json", "--backend", "openssl",
            ])
            #expect(json.code == 0, "\(json.output)\(json.errors)")
            for line in json.lines {
                #expect(line["outcome"] as? String == "pass-with-warnings", "\(line)")
                #expect(schema.violations(in: line) == [])
            }
        }
    }

    @Test("[R72] a batch is answered in order, and a line that is none in its place") func batch() async throws {
        let schema = try Schema.load("probe-verify-1.schema.json")
        try await inFolder { folder in
            let file = folder.appending(path: "batch.jsonl")
            try [
                try Self.question(.good, id: "first"), "", "no JSON", try Self.question(.expired, id: "last"),
                #"{"id": "bad", "leaf": "?", "anchors": []}"#, #"{"id": "short"}"#,
                #"{"id": "twice", "leaf": "", "anchors": [], "leaf": ""}"#,
            ].joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
            let outcome = try await Probe.run(["verify", "--batch", file.path])
            #expect(outcome.code == 11, "\(outcome.errors)")
            for line in outcome.lines { #expect(schema.violations(in: line) == []) }
            let told = outcome.lines.map { ($0["id"] as? String ?? "-") + " " + ($0["outcome"] as? String ?? "none") }
            #expect(
                told == Array(repeating: "first pass", count: 4) + ["- none"]
                    + Array(repeating: "last trust-failed", count: 4) + ["bad none", "short none", "twice none"])
            let errors = outcome.lines.compactMap { $0["error"] as? String }
            #expect(errors.count == 4 && errors[0].contains("line 3") && errors[1].contains("line 5"), "\(errors)")
            #expect(errors.last?.contains("'leaf' is there twice") == true)
        }
    }

    @Test("blank lines of a batch ask nothing") func blankLines() async throws {
        try await inFolder { folder in
            let file = folder.appending(path: "batch.jsonl")
            try ["", "\t", " \t\r", try Self.question(.good, id: "a"), "\r", "\t\t"].joined(separator: "\n").write(
                to: file, atomically: true, encoding: .utf8)
            let outcome = try await Probe.run(["verify", "--batch", file.path, "--backend", "openssl"])
            #expect(outcome.code == 0, "\(outcome)")
            #expect(outcome.lines.map { $0["id"] as? String } == ["a"], "\(outcome.output)")
        }
    }

    @Test("what a question does not have is not passed over") func unknownMembers() async throws {
        try await inFolder { folder in
            let file = folder.appending(path: "batch.jsonl")
            let question = try Self.question(.good, id: "a").dropLast() + #", "requireExplicitPolcy": true}"#
            try String(question).write(to: file, atomically: true, encoding: .utf8)
            let outcome = try await Probe.run(["verify", "--batch", file.path, "--backend", "openssl"])
            #expect(outcome.code == 65, "\(outcome)")
            #expect(outcome.lines.first?["id"] as? String == "a" && outcome.lines.first?["outcome"] is NSNull)
            #expect(outcome.output.contains("line 1: 'requireExplicitPolcy' is not a member of a question"))
        }
    }

    @Test("a number that a member can't have is not called a fault of the JSON") func numbersOutOfRange() async throws {
        try await inFolder { folder in
            let file = folder.appending(path: "batch.jsonl")
            let question = try Self.question(.good, id: "a").dropLast() + #", "maxDepth": 1.5}"#
            try String(question).write(to: file, atomically: true, encoding: .utf8)
            let outcome = try await Probe.run(["verify", "--batch", file.path, "--backend", "openssl"])
            #expect(outcome.code == 65 && outcome.lines.first?["id"] as? String == "a", "\(outcome)")
            #expect(outcome.output.contains("line 1 is not a question: a number is not whole"), "\(outcome.output)")
        }
    }

    @Test func aBatchWithoutAQuestionIsNoPass() async throws {
        let empty = try await Probe.run(["verify", "--batch", "/dev/null"])
        #expect(empty.code == 65 && empty.errors.contains("no question"))
        try await inFolder { folder in
            let file = folder.appending(path: "batch.jsonl")
            try (try Self.question(.good, id: "a") + "\nno JSON\n").write(
                to: file, atomically: true, encoding: .utf8)
            #expect(try await Probe.run(["verify", "--batch", file.path, "--backend", "openssl"]).code == 65)
            let text = try await Probe.run(["verify", "--batch", file.path, "--format", "text"])
            #expect(text.code == 64 && text.errors.contains("--format text is not for a batch"))
        }
    }
}
