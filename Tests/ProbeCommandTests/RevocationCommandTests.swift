import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// Revocation lists and policies on the command line and in batches.
@Suite(.bounded) struct RevocationCommandTests {
    private static let pki = LabPKI(epoch: .now)
    private static let stacks = ["openssl", "gnutls", "curl", "nio"]

    /// Returns the files that are there: the CA, the good chain, and lists.
    private func inFolder(_ body: (_ path: (String) -> String) async throws -> Void) async throws {
        try await ScratchFolder.withURL { folder in
            func write(_ bytes: some Sequence<UInt8>, _ name: String) throws {
                try Data(Array(bytes)).write(to: folder.appending(path: name))
            }
            try write(Self.pki.rootPEM().utf8, "ca.pem")
            try write(Self.pki.identity(.good).chainPEM.utf8, "chain.pem")
            let revoking = LabRevocationList([try LabPKI.serial(of: Self.pki.identity(.good).leaf)])
            let encoded = try Self.pki.encode(revoking)
            try write(encoded, "revoking.crl")
            let text = Data(encoded).base64EncodedString(options: [.lineLength64Characters, .endLineWithLineFeed])
            try write("-----BEGIN X509 CRL-----\n\(text)\n-----END X509 CRL-----\n".utf8, "revoking.pem")
            try write(Self.pki.encode(LabRevocationList()), "empty.crl")
            try write(Self.pki.encode(LabRevocationList { $0.extensions = [LabRevocationList.delta] }), "delta.crl")
            try write("nothing".utf8, "garbage.crl")
            try await body { folder.appending(path: $0).path }
        }
    }

    /// A check without a connection is judged like one with it.
    @Test(arguments: [("revoking.crl", Int32(11)), ("empty.crl", 0)])
    func aChainIsCheckedByAList(file: String, code: Int32) async throws {
        try await inFolder { path in
            let outcome = try await Probe.run([
                "check", "--chain", path("chain.pem"), "--ca", path("ca.pem"), "--crl", path(file), "good.test",
                "--format", "json",
            ])
            #expect(outcome.code == code, "\(outcome.output)\(outcome.errors)")
            let outcomes = Set(outcome.lines.map { $0["outcome"] as? String })
            #expect(outcomes == (code == 0 ? ["pass"] : ["trust-failed"]) && outcome.lines.count == Self.stacks.count)
        }
    }

    @Test(arguments: [("revoking.crl", Int32(11)), ("revoking.pem", 11), ("empty.crl", 0)])
    func aChainIsVerifiedByAList(file: String, code: Int32) async throws {
        let schema = try Schema.load("probe-verify-1.schema.json")
        try await inFolder { path in
            let outcome = try await Probe.run([
                "verify", path("chain.pem"), "--ca", path("ca.pem"), "--crl", path(file), "--name", "good.test",
                "--format", "json",
            ])
            #expect(outcome.code == code, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.lines.map { $0["transport"] as? String } == Self.stacks)
            for line in outcome.lines {
                #expect(schema.violations(in: line) == [])
                for verifier in ["native", "reference"] {
                    let cause = (line[verifier] as? [String: Any])?["cause"] as? String
                    #expect(cause == (code == 0 ? nil : "revoked"), "\(line)")
                }
                let remarks = (line["reference"] as? [String: Any])?["remarks"] as? [[String: Any]] ?? []
                #expect(remarks.map { $0["code"] as? String } == (code == 0 ? ["revocation-not-judged"] : []))
            }
        }
    }

    @Test(arguments: [
        ("missing.crl", "can't be read"), ("garbage.crl", "holds no revocation list"), ("delta.crl", "a delta list"),
    ])
    func listsThatCannotBeUsedAreNamed(file: String, words: String) async throws {
        try await inFolder { path in
            let outcome = try await Probe.run([
                "verify", path("chain.pem"), "--ca", path("ca.pem"), "--crl", path(file),
            ])
            #expect(outcome.code == 65, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.errors.contains("--crl") && outcome.errors.contains(words), "\(outcome.errors)")
        }
    }

    @Test func aServerIsCheckedByAList() async throws {
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
            try await inFolder { path in
                for (file, code) in [("revoking.crl", Int32(11)), ("empty.crl", 0)] {
                    let outcome = try await Probe.run([
                        "check", "good.test", "--connect", "\(server.endpoint)", "--ca", path("ca.pem"), "--crl",
                        path(file), "--format", "json",
                    ])
                    #expect(outcome.code == code, "\(outcome.output)\(outcome.errors)")
                    #expect(outcome.lines.count == Self.stacks.count)
                    for line in outcome.lines {
                        let codes = (line["findings"] as? [[String: Any]])?.compactMap { $0["code"] as? String } ?? []
                        #expect(codes.contains(code == 0 ? "revocation-not-judged" : "revoked"), "\(line)")
                    }
                }
            }
        }
    }

    /// If lists have no effect, the option is rejected by name.
    @Test func theOptionIsRefusedWhereItHasNoEffect() async throws {
        try await inFolder { path in
            let list = ["--crl", path("empty.crl")]
            let profile = path("profile.yaml")
            try "version: 1\n".write(toFile: profile, atomically: true, encoding: .utf8)
            for arguments in [
                ["pins", path("chain.pem")], ["check", "--profile", profile], ["compare", "--profile", profile],
                ["profile", "lint", profile], ["verify", "--batch", "/dev/null"],
            ] {
                let outcome = try await Probe.run(arguments + list)
                #expect(outcome.code == 64, "\(arguments): \(outcome.output)\(outcome.errors)")
                #expect(outcome.errors.contains("--crl"), "\(arguments): \(outcome.errors)")
            }
        }
    }

    /// A batch's questions bring their own lists and policies; a stack without an input for policies is not asked.
    @Test func aBatchBringsListsAndPolicies() async throws {
        let schema = try Schema.load("probe-verify-1.schema.json")
        let chain = try Self.pki.identity(.good).chain.map { Data($0).base64EncodedString() }
        func question(_ id: String, _ members: [String: Any]) throws -> String {
            let object: [String: Any] = [
                "id": id, "leaf": chain[0], "intermediates": Array(chain.dropFirst()),
                "anchors": [try Self.pki.rootPEM()], "name": "good.test",
            ]
            let all = object.merging(members) { $1 }
            return String(decoding: try JSONSerialization.data(withJSONObject: all), as: UTF8.self)
        }
        let serial = try LabPKI.serial(of: Self.pki.identity(.good).leaf)
        let list = Data(try Self.pki.encode(LabRevocationList([serial]))).base64EncodedString()
        try await inFolder { path in
            try [
                question("revoked", ["crls": [list]]), question("explicit", ["requireExplicitPolicy": true]),
                question("no list", ["crls": ["?"]]), question("no policy", ["policies": ["x"]]),
            ].joined(separator: "\n").write(toFile: path("batch.jsonl"), atomically: true, encoding: .utf8)
            let outcome = try await Probe.run(["verify", "--batch", path("batch.jsonl")])
            for line in outcome.lines { #expect(schema.violations(in: line) == [], "\(line)") }
            let told = outcome.lines.map { line in
                "\(line["id"] as? String ?? "-") \(line["transport"] as? String ?? "-") \(line["outcome"] as? String ?? "-")"
            }
            #expect(
                told == Self.stacks.map { "revoked \($0) trust-failed" }
                    + Self.stacks.map { "explicit \($0) \($0 == "gnutls" ? "unsupported" : "trust-failed")" }
                    + ["no list - -", "no policy - -"], "\(told)")
        }
    }
}
