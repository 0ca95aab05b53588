import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import ProbeTrust
import Subprocess
import Testing

/// `probe roots`, and `--roots`.
@Suite(.bounded) struct RootsCommandTests {
    private static let pki = LabPKI(epoch: .now)

    private func inFolder(_ body: (String, Environment) async throws -> Void) async throws {
        try await ScratchFolder.with { folder in
            try await body(folder, Environment.inherit.updating(["XDG_DATA_HOME": folder]))
        }
    }

    @Test(arguments: [
        ["roots"], ["roots", "list"], ["roots", "show", "mozilla@2021-09"],
        ["roots", "diff", "mozilla@2020", "mozilla"],
    ])
    func theLinesFollowTheSchema(arguments: [String]) async throws {
        let schema = try Schema.load("probe-roots-1.schema.json")
        let outcome = try await Probe.run(arguments + ["--format", "json"])
        #expect(outcome.code == 0 && outcome.lines.count > 10, "\(outcome.errors)")
        for line in outcome.lines { #expect(schema.violations(in: line) == []) }
        let text = try await Probe.run(arguments)
        #expect(text.code == 0 && text.output.contains("mozilla"))
    }

    @Test func aStoreIsPrintedAsPEM() async throws {
        let outcome = try await Probe.run(["roots", "show", "mozilla@2021-05-30", "--pem"])
        let certificates = try CertificateFile.read(Array(outcome.output.utf8), from: "output")
        #expect(certificates.count > 100)
    }

    @Test("an imported store is trusted by its name, and the verdict names it") func imported() async throws {
        let schema = try Schema.load("probe-roots-1.schema.json")
        try await inFolder { folder, environment in
            try Self.pki.rootPEM().write(toFile: "\(folder)/ca.pem", atomically: true, encoding: .utf8)
            let kept = try await Probe.run(
                ["roots", "import", "--name", "acme", "--date", "2024-05-01", "\(folder)/ca.pem", "--format", "json"],
                environment: environment)
            let line = try #require(kept.lines.first, "\(kept.errors)")
            #expect(schema.violations(in: line) == [] && line["certificates"] as? Int == 1)
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
                let check = ["check", "good.test", "--connect", "\(server.endpoint)", "--format", "json", "--roots"]
                let outcome = try await Probe.run(check + ["acme@2025"], environment: environment)
                #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
                for line in outcome.lines {
                    let evidence = try #require(line["evidence"] as? [String: Any])
                    let trust = try #require(evidence["trust"] as? [String: Any])
                    #expect((trust["anchors"] as? [String: Any])?["name"] as? String == "acme@2024-05-01")
                }
                let other = try await Probe.run(check + ["mozilla@2021-09"], environment: environment)
                #expect(other.code == 11, "a store without the CA: \(other.output)")
            }
            let chain = "\(folder)/chain.pem"
            try Self.pki.identity(.good).chainPEM.write(toFile: chain, atomically: true, encoding: .utf8)
            let verified = try await Probe.run(
                ["verify", chain, "--name", "good.test", "--roots", "acme"], environment: environment)
            #expect(verified.code == 0, "\(verified.output)\(verified.errors)")
            let trust = ["roots", "trust", chain, "--name", "good.test", "--format", "json"]
            let trusted = try await Probe.run(trust, environment: environment)
            #expect(trusted.code == 0, "\(trusted.output)\(trusted.errors)")
            for line in trusted.lines {
                #expect(schema.violations(in: line) == [])
                let runs = try #require(line["trusted"] as? [[String: Any]])
                #expect(
                    runs.map { $0["from"] as? String } == (line["store"] as? String == "acme" ? ["2024-05-01"] : []))
            }
            let stranger = try await Probe.run(trust, environment: .inherit.updating(["XDG_DATA_HOME": "/nonexistent"]))
            #expect(stranger.code == 11, "\(stranger.output)")
            let listed = try await Probe.run(["roots"], environment: environment)
            #expect(listed.output.contains("acme"))
        }
    }

    @Test("a certificate that a store rejects is left out, and named") func rejected() async throws {
        try await inFolder { folder, environment in
            let root = try Self.pki.certificate(of: .root)
            let settings: [UInt8] = [0x30, 0x0c, 0xa0, 0x0a, 0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 3, 1]
            let block = Data(root + settings).base64EncodedString()
            let text =
                CertificateFile.pem(try Self.pki.certificate(of: .otherRoot))
                + "-----BEGIN TRUSTED CERTIFICATE-----\n\(block)\n-----END TRUSTED CERTIFICATE-----\n"
            try text.write(toFile: "\(folder)/ca.pem", atomically: true, encoding: .utf8)
            let kept = try await Probe.run(
                ["roots", "import", "--name", "acme", "--date", "2024-05-01", "\(folder)/ca.pem"],
                environment: environment)
            #expect(kept.code == 0 && kept.output.contains("acme@2024-05-01: 1 certificate, kept in"), "\(kept)")
            #expect(kept.errors.contains("of \(folder)/ca.pem is left out: it is marked as not trusted"), "\(kept)")
        }
    }

    @Test("a certificate that one file rejects is left out of all, in whatever order they are given") func distrusted()
        async throws
    {
        try await inFolder { folder, environment in
            for inner in ["anchors", "blocklist"] {
                try FileManager.default.createDirectory(atPath: "\(folder)/\(inner)", withIntermediateDirectories: true)
            }
            let root = try Self.pki.certificate(of: .root)
            for path in ["anchors/x", "blocklist/x"] {
                try Data(root).write(to: URL(filePath: "\(folder)/\(path).cer"))
            }
            try Data(Self.pki.certificate(of: .otherRoot)).write(to: URL(filePath: "\(folder)/anchors/y.cer"))
            let settings: [UInt8] = [0x30, 0x0c, 0xa0, 0x0a, 0x06, 0x08, 0x2b, 6, 1, 5, 5, 7, 3, 1]
            let block = Data(root + settings).base64EncodedString()
            let text = "-----BEGIN TRUSTED CERTIFICATE-----\n\(block)\n-----END TRUSTED CERTIFICATE-----\n"
            try text.write(toFile: "\(folder)/rejected.pem", atomically: true, encoding: .utf8)
            let start = ["roots", "import", "--name", "acme", "--date", "2024-05-01"]
            for files in [["anchors", "blocklist"], ["anchors/x.cer", "rejected.pem", "anchors/y.cer"]] {
                let kept = try await Probe.run(start + files.map { "\(folder)/\($0)" }, environment: environment)
                #expect(kept.code == 0 && kept.output.contains("acme@2024-05-01: 1 certificate, kept in"), "\(kept)")
                #expect(kept.errors.contains("\(files[1])") && kept.errors.contains("is left out: "), "\(kept)")
            }
            let refused = try await Probe.run(start + ["\(folder)/blocklist"], environment: environment)
            #expect(refused.code == 65 && refused.errors.contains("leave out the file whose rejections"), "\(refused)")
        }
    }

    @Test("the folders of a store like Debian's are given one by one") func severalFolders() async throws {
        try await inFolder { folder, environment in
            for (inner, authority) in [("local", LabAuthority.root), ("mozilla", .otherRoot)] {
                let path = "\(folder)/share/\(inner)"
                try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
                try Data(Self.pki.certificate(of: authority)).write(to: URL(filePath: "\(path)/ca.crt"))
            }
            let start = ["roots", "import", "--name", "acme", "--date", "2024-05-01"]
            let folders = ["\(folder)/share/local", "\(folder)/share/mozilla"]
            let refused = try await Probe.run(start + ["\(folder)/share"], environment: environment)
            #expect(refused.code == 65 && refused.errors.contains("choose one with --only"), "\(refused)")
            #expect(refused.errors.contains("give its folders: \(folders[0]) \(folders[1])"), "\(refused)")
            let kept = try await Probe.run(start + folders, environment: environment)
            #expect(kept.code == 0 && kept.output.contains("acme@2024-05-01: 2 certificates"), "\(kept)")
        }
    }

    @Test("a store that has no room ends the command as other output does") func withoutRoom() async throws {
        try await inFolder { folder, _ in
            try Self.pki.rootPEM().write(toFile: "\(folder)/ca.pem", atomically: true, encoding: .utf8)
            let outcome = try await Probe.shell(
                """
                ulimit -f 0
                XDG_DATA_HOME='\(folder)' "$0" roots import --name acme --date 2024-05-01 '\(folder)/ca.pem'
                """)
            #expect(outcome.code == 70, "\(outcome)")
            #expect(
                outcome.errors.contains("acme@2024-05-01.pem can't be written: File too large"), "\(outcome.errors)")
        }
    }

    @Test("every store is judged beside the others, and those that refuse are named") func everyStore() async throws {
        let schema = try Schema.load("probe-1.schema.json")
        try await inFolder { folder, environment in
            for (name, authority) in [("ours", LabAuthority.root), ("older", .otherRoot)] {
                let file = "\(folder)/\(name).cer"
                try Data(Self.pki.certificate(of: authority)).write(to: URL(filePath: file))
                let kept = try await Probe.run(
                    ["roots", "import", "--name", name, "--date", "2015-01-01", file], environment: environment)
                #expect(kept.code == 0, "\(kept.errors)")
            }
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
                let check = [
                    "check", "good.test", "--connect", "\(server.endpoint)", "--backend", "openssl", "--roots",
                ]
                let all = try await Probe.run(check + ["all", "--format", "json"], environment: environment)
                let line = try #require(all.lines.first, "\(all.errors)")
                #expect(all.code == 11 && schema.violations(in: line) == [], "\(all.output)")
                let trust = try #require((line["evidence"] as? [String: Any])?["trust"] as? [String: Any])
                let stores = try #require(trust["stores"] as? [[String: Any]])
                #expect(stores.count > 6)
                let accepting = stores.filter { $0["accepted"] as? Bool == true }
                #expect(accepting.map { $0["name"] as? String } == ["ours@2015-01-01"])
                #expect(accepting.first?["anchor"] as? String == "CN=ProbeKit Lab Root")
                #expect(stores.allSatisfy { ($0["accepted"] as? Bool == true) == ($0["cause"] is NSNull) })
                let text = try await Probe.run(check + ["all"], environment: environment)
                let words = text.output
                #expect(words.contains("store-refuses") && words.contains("older@2015-01-01 (unknown-issuer)"))
                #expect(words.contains("to 'CN=ProbeKit Lab Root': ours@2015-01-01"), "\(words)")
                #expect(words.split(separator: "\n").count <= 12, "\(words)")
                let verbose = try await Probe.run(check + ["all", "--verbose"], environment: environment)
                #expect(verbose.output.contains("older@2015-01-01"))
                // Of that day there is none but these two.
                let then = try await Probe.run(
                    check + ["all@2015-01-02", "--format", "json"], environment: environment)
                let old = try #require(then.lines.first?["evidence"] as? [String: Any])
                let anchors = try #require((old["trust"] as? [String: Any])?["anchors"] as? [String: Any])
                #expect((anchors["name"] as? String)?.hasPrefix("all@2015-01-02 without android") == true, "\(anchors)")
                #expect(then.code == 11)
            }
        }
    }

    @Test(arguments: [
        (["good.test", "--roots", "mozzila"], Int32(64), "did you mean 'mozilla'?"),
        (["good.test", "--roots", "mozilla@1999"], 64, "the first snapshot of mozilla is of 2015-04-28"),
        (["good.test", "--roots", "mozilla@May"], 64, "--roots 'mozilla@May' has no date"),
        (["good.test", "--roots", "mozilla", "--ca", "a.pem"], 64, "--ca and --roots are given"),
        (["verify", "--batch", "-", "--roots", "mozilla"], 64, "--roots is not for a batch"),
        (["profile", "forecast", "a", "--roots", "mozilla"], 64, "--roots is of no use"),
        (["good.test", "--roots", "all", "--trust", "native"], 64, "--roots all and --trust native are given"),
        (["scan", "good.test", "--roots", "all", "--trust", "native"], 64, "--roots all and --trust native are given"),
        (["verify", "a.pem", "--roots", "all"], 64, "--roots all is not for verify"),
        (["good.test", "--roots", "all@1999"], 64, "no root store has a snapshot of 1999"),
        (["check", "--client", "android", "--roots", "all", "good.test"], 64, "--roots and --client are given"),
        (["roots", "import", "--name", "all", "--date", "2024-05-01", "a.pem"], 64, "means every store"),
        (["roots", "import", "--name", "mozilla", "--date", "2024-05-01", "a.pem"], 64, "choose another name"),
        (["roots", "import", "--name", "acme", "--date", "2024-05", "a.pem"], 64, "is not a day"),
        (["roots", "import", "--name", "a/b", "--date", "2024-05-01", "a.pem"], 64, "is not a root store"),
        (["roots", "import", "--name", "acme", "--date", "2024-05-01", "/nonexistent.jks"], 65, "/nonexistent.jks"),
        (["roots", "show", "mozilla", "--pem", "--format", "json"], 64, "choose one of the two"),
    ])
    func badInputIsNamed(arguments: [String], code: Int32, words: String) async throws {
        try await inFolder { _, environment in
            let outcome = try await Probe.run(arguments, environment: environment)
            #expect(outcome.code == code && outcome.errors.contains(words), "\(outcome.code): \(outcome.errors)")
        }
    }
}
