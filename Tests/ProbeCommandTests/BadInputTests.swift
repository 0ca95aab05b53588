import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import ProbeTrust
import Testing

/// Bad input: one line that names the argument and the remedy, exit 64 or 65, and nothing is sent.
@Suite(.bounded) struct BadInputTests {
    @Test(
        arguments: [
            (["--pin", "nonsense", "good.test"], 64, "--pin"),
            (["--pin", "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=", "good.test"], 64, "empty input"),
            (["--pin", "sha256/fwp4KADDyKqDa3qN5vy6UUJlffXBnjzrei3QTuYofY-=", "good.test"], 64, "base64url"),
            (["--pin", "AA:BB:CC:DD:EE:FF:00:11:22:33:44:55:66:77:88:99:AA:BB:CC:DD", "good.test"], 64, "SHA-1"),
            (["--backend", "schannel", "good.test"], 64, "choose among openssl, gnutls"),
            (["--resolver", "magic", "good.test"], 64, "--resolver"),
            (["--backend", "all,nosuch", "good.test"], 64, "--backend 'nosuch' is not in this build"),
            (["--backend", "nosuch", "good.test"], 64, "or all; a program of its own is found by --plugin-path"),
            (["--backend", "all,", "good.test"], 64, "--backend '' is not in this build"),
            (["--backend", "openssl,", "good.test"], 64, "--backend '' is not in this build"),
            (
                [
                    "--model", "dc", "--model-host", "models.test", "--dns-server", "127.0.0.1:1", "--resolver",
                    "all,nosuch", "good.test",
                ], 64, "--resolver 'nosuch' is not in this build"
            ),
            (["--resolver", "ldns", "good.test"], 64, "--resolver is given and --model is not"),
            (["scan", "--resolver", "ldns", "good.test"], 64, "--resolver is given and --model is not"),
            (["--cache", "default", "good.test"], 64, "--cache is given and --model is not"),
            (["models", "models.test", "--dns-server", "127.0.0.1:1", "--cache", "default"], 64, "--model is not"),
            (
                ["models", "models.test", "--dns-server", "127.0.0.1:1", "--at", "2026-01-01T00:00:00Z"], 64,
                "--at is given, and nothing is judged at an instant"
            ),
            (["survey", "--backend", "nosuch,all", "good.test"], 64, "--backend 'nosuch' is not in this build"),
            (
                ["models", "a.test", "--dns-server", "127.0.0.1:1", "--resolver", "all,"], 64,
                "--resolver '' is not in this build"
            ),
            (["good.test:0"], 64, "not a port"), (["good.test:99999"], 64, "not a port"),
            (["two words"], 64, "host name"), (["chekc", "x"], 64, "did you mean 'check'?"),
            (["check", "--profile", "-", "--ca", "-", "good.test"], 64, "can be read once"),
            (["check", "--expect-certificate", "-@leaf", "--ca", "-", "good.test"], 64, "can be read once"),
            (["check", "--chain", "good.test=-", "--ca", "-"], 64, "can be read once"),
            (["profile", "lint", "-", "--chain", "https://good.test=-"], 64, "can be read once"),
            (["check", "-chain", "c.pem", "good.test"], 64, "'-chain' begins with one hyphen"),
            (["-expires-within", "9d", "good.test"], 64, "begins with one hyphen"),
            (["check", "-xh"], 64, "one hyphen"), (["good.test", "-5h"], 64, "'-5h' begins with one hyphen"),
            (["-5h"], 64, "one hyphen"), (["good.test", "-h=x"], 64, "one hyphen"),
            (["--timeout", "-5h", "good.test"], 64, "--timeout"),
            (["good.test", "-hidden.test"], 64, "comes after --"),
            (["profile", "diff", "a", "b", "-h1"], 64, "one hyphen"),
            (["lab", "--ca-file", ""], 64, "--ca-file '' is not a file"),
            (["check", "--profile", "", "good.test"], 65, "the name of a profile is empty"),
            (["scan", "--list=-", "--ca=-"], 64, "can be read once"), (["match", "-", "-"], 64, "- is given 2 times"),
            (["help", "nope"], 64, "'nope' is not a command"),
            (["help", "sacn"], 64, "did you mean 'scan'? choose from"),
            (["help", "profile", "lnit"], 64, "did you mean 'lint'?"),
            (["--pin", "SHA256//fwp4KADDyKqDa3qN5vy6UUJlffXBnjzrei3QTuYofYw=", "good.test"], 64, "lower case alone"),
            (["--pin", "spki:sha512:AAAA", "good.test"], 64, "it is a SHA-512 pin"),
            (["--connect", ":1", "good.test"], 64, "':1' has no host"),
            (["--expires-within", "1w", "good.test"], 64, "a number alone is of seconds"),
            (["models", "models.test", "--model", "münchen"], 64, "'münchen' has"),
            (
                ["serve", "--config.file", "/dev/null", "--web.listen-address", "127.0.0.1:99999"], 64,
                "has the port '99999'"
            ),
            (["scan", "{\"target\":\"a.test\",\"target\":\"b.test\"}"], 64, "'target' twice"),
            (["modles", "models.test"], 64, "did you mean 'models'?"), (["::1:9443"], 64, "[::1]:9443"),
            (["scan", "::1:9443"], 64, "[::1]:9443"), (["--connect", "::1:9443", "good.test"], 64, "[::1]:9443"),
            (["http://good.test"], 64, "scheme"), (["--connect", "127.0.0.1", "good.test"], 64, "--connect"),
            (["--at", "yesterday", "good.test"], 64, "--at"), (["--timeout", "0", "good.test"], 64, "--timeout"),
            (["--timeout", "nan", "good.test"], 64, "--timeout"),
            (["--timeout", "0x10", "good.test"], 64, "--timeout"),
            (["--timeout", "1e1", "good.test"], 64, "--timeout"), (["scan", "--list", "/tmp"], 65, "is a folder"),
            (["scan", "--list", ""], 65, "the name of a list is empty"),
            (["verify", "--batch", ""], 65, "the name of a list is empty"),
            (["--client-cert", "", "good.test"], 65, "the name of a secret's file is empty"),
            (["--min-tls", "1.4", "good.test"], 64, "--min-tls"),
            (["--policy", "atz", "good.test"], 64, "--policy"), (["--emulate", "nu", "good.test"], 64, "--emulate"),
            (["--emulate", "ecall", "good.test"], 64, "profile"),
            (["--pin-chain", "any", "good.test"], 64, "--pin-chain"),
            (["--expect-certificate", "/nonexistent.pem@leaf", "good.test"], 65, "/nonexistent.pem "),
            (["--client-cert", "/dev/null", "--client-key", "-", "good.test"], 64, "name a file of mode 600"),
            (["--client-cert", "-", "good.test"], 64, "no secret is taken from standard input"),
            (["--trust", "nobody", "good.test"], 64, "--trust"),
            (["--server-date", "sometimes", "good.test"], 64, "--server-date"),
            (["--format", "xml", "good.test"], 64, "--format"),
            (["--model", "a,b", "--model-host", "models.test", "good.test"], 64, "--model"),
            (
                ["models", "models.test", "--dnssec", "require", "--dnssec-anchor", "/nonexistent"], 65,
                "--dnssec-anchor"
            ),
            (["models", "models.test", "--dnssec", "require", "--dnssec-anchor", ". IN TXT x"], 64, "--dnssec-anchor"),
            (["models", "models.test", "--dnssec-anchor", "/nonexistent"], 64, "--dnssec off"),
            (["models", "models.test", "--dns-ca", "/nonexistent"], 64, "https or tls server"),
            (
                ["models", "models.test", "--dns-server", "https://x.test/q", "--dns-ca", "/nonexistent"], 65,
                "--dns-ca"
            ),
            (["models", "models.test", "--dns-server", "https://x.test"], 64, "--dns-server"),
            (["models", "models.test", "--dns-server", "localhost:53"], 64, "give its address"),
            (["models", "models.test", "--dns-server", "tls://192.0.2.1/q"], 64, "more than a name and a port"),
            (["models", "models.test", "--dns-server", "fe80::1"], 64, "name the interface"),
            (["models", "models.test", "--dns-server", "https://me@x.test/q"], 64, "--dns-server"),
            (["models", "models.test", "--dns-server", "https://x.test/q?a=b"], 64, "--dns-server"),
            (
                [
                    "models", "models.test", "--dns-server", "https://x.test/q", "--dns-server", "https://y.test/q",
                    "--dns-connect", "127.0.0.1:1",
                ], 64, "--dns-connect"
            ),
            (["--model", "dc", "good.test"], 64, "--model-host"), ([], 64, "no target"),
            (["--ca", "/nonexistent.pem", "good.test"], 65, "/nonexistent.pem"),
            (["pins", "/dev/null/x y"], 65, "can't be read"), (["pins", "missing.pem"], 65, "missing.pem"),
            (["--dnssec", "require", "good.test"], 64, "--model"),
            (["scan"], 64, "no target"), (["scan", "two words"], 64, "host name"),
            (["scan", "good.test", "10.0.0.1/24"], 64, "10.0.0.0/24"), (["scan", "2001:db8::/64"], 64, "2^64"),
            (["scan", "127.0.0.0/33"], 64, "prefix length"), (["scan", "127.0.0.0/28:0"], 64, "not a port"),
            (["scan", "--list", "/nonexistent"], 65, "No such file"),
            (["verify", "leaf.pem", "--max-depth=-1"], 64, "--max-depth"),
            (["pins", "user:secret@good.test"], 64, "a target carries credentials"),
            (["scan", "--shard", "3/2", "a.test"], 64, "--shard"),
            (["scan", "--shard", "0/2", "a.test"], 64, "--shard"),
            (["scan", "--concurrency", "0", "a.test"], 64, "--concurrency"),
            (["scan", "--concurrency", "+3", "a.test"], 64, "--concurrency must be 1 to 65536"),
            (["scan", "--shard", "+1/+2", "a.test"], 64, "--shard '+1/+2' is not a part of a list"),
            (["--retry", "+1", "good.test"], 64, "--retry must be 0 to 10"),
            (["--edns-size", "+1232", "good.test"], 64, "--edns-size +1232 is not a UDP size"),
            (["serve", "--allow-network", "10.0.0.0/+8"], 64, "has no prefix length"),
            (["scan", "--spacing", "5000", "a.test"], 64, "--spacing"),
            (["scan", "--resume", "/dev/null", "a.test"], 65, "--resume"),
            (["scan", "--policy", "atz", "a.test"], 64, "--policy"),
            (["scan", "--model", "dc", "a.test"], 64, "--model-host"),
            (["scan", "--format", "junit", "a.test"], 64, "choose json"),
            (["scan", "--list", "/dev/null"], 65, "names no target"),
            (["pins", "--format", "sarif", "/dev/null"], 64, "choose text, json"),
            (["scan", "--list", "a", "--list=b"], 64, "--list is given twice"),
            (["check", "--profile", "a", "--profile", "b"], 64, "--profile is given twice"),
            (["profile", "lint", "/dev/null"], 65, "is empty"), (["pins", "/tmp/"], 65, "is a folder"),
            (["--profile", "/tmp"], 65, "is a folder"), (["verify", "--batch", "/tmp"], 65, "/tmp is a folder"),
            (["profile", "lint", "a", "--connect", "127.0.0.1:1"], 64, "--live"),
            (["profile", "lint", "a", "--backend", "gnutls"], 64, "--live"),
            (["profile", "lint", "a", "--timeout", "5"], 64, "--live"),
            (["profile", "forecast", "a", "--ca", "/dev/null"], 64, "--ca"),
            (["signature", "--content", "a", "--content", "b", "--signature", "c", "--signers", "d"], 64, "--content"),
            (["good.test", "--ca", "a", "--ca=b"], 64, "--ca is given twice"),
            (["good.test", "--pin-chain", "presented"], 64, "--pin-chain"),
            (["watch", "good.test", "--rounds", "1", "--exec-timeout", "5"], 64, "--exec"),
            (["verify", "--batch", "/dev/null", "--purpose", "server"], 64, "--purpose"),
            (["lab", "--backend", "openssl"], 64, "--check"),
            (["profile", "forecast", "a", "--backend", "gnutls"], 64, "--live"),
            (["good.test", "--cache-lifetime", "5"], 64, "without --cache"),
            (["watch", "good.test", "--rounds", "1", "--connection-lifetime", "5"], 64, "without --cache"),
            (
                ["watch", "good.test", "--rounds", "1", "--cache", "/nowhere/at/all", "--cache-lifetime", "5"], 64,
                "--cache-lifetime is about models"
            ),
            (["profile"], 64, "no command of profile was given"),
            (["bench", "handshake", "--backend", "openssl,curl"], 64, "curl can't be measured"),
            (["bench", "handshake", "--backend", "curl"], 64, "curl can't be measured"),
            (["lab", "--system-settings"], 64, "--system-settings is of no use without --check"),
            (["conformance", "--list", "--system-settings"], 64, "--list can't be combined with --system-settings"),
            (
                ["conformance", "--divergences", "--system-settings"], 64,
                "--divergences can't be combined with --system-settings"
            ),
            (["check", "--profile", "a\u{1b}[31m.yaml"], 65, "a\\u{1b}[31m.yaml"),
            (["--at", "2026-02-31T00:00:00Z", "good.test"], 64, "--at"),
            (["--at", "2026-07-27T00:00:00Zjunk", "good.test"], 64, "--at"),
        ] as [([String], Int32, String)])
    func isNamedOnOneLine(arguments: [String], code: Int32, words: String) async throws {
        let outcome = try await Probe.run(arguments)
        #expect(outcome.code == code)
        // A scan's manifest reports that it was complete.
        #expect(outcome.lines.allSatisfy { $0["schema"] as? String == "probe-scan/1" } && outcome.lines.count <= 1)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
        #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
    }

    @Test("an argument that is not UTF-8 is refused by its number, and not looked for under another name")
    func otherEncodings() async throws {
        let outcome = try await Probe.shell("$0 check --ca $'a\\xff.pem' good.test")
        #expect(outcome.code == 64 && outcome.output.isEmpty)
        #expect(outcome.errors.hasPrefix("probe: argument 3 is not UTF-8"), "\(outcome.errors)")
        let letters = try await Probe.run(["check", "--ca", "/nonexistent/\u{e9}.pem", "good.test"])
        #expect(letters.code == 65, "\(letters.errors)")
    }

    @Test("what an option quotes can't move the cursor") func controlCharacters() async throws {
        let outcome = try await Probe.run(["check", "--b\u{1b}[31mad", "good.test"])
        #expect(outcome.code == 64 && outcome.errors.contains("--b\\u{1b}[31mad"), "\(outcome.errors)")
        #expect(!outcome.errors.contains("\u{1b}"))
    }

    @Test("a key that is there twice is named with its line") func repeatedKeys() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "probe-twice-\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        try "profile: 1\nname: a\nname: b\n".write(to: file, atomically: true, encoding: .utf8)
        let outcome = try await Probe.run(["check", "--profile", file.path, "good.test"])
        #expect(outcome.code == 65)
        #expect(outcome.errors.contains("\(file.path):2: 'name' is there twice"), "\(outcome.errors)")
    }

    @Test("what a format can't hold is the file's fault") func nothingToConvert() async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "probe-raw-\(UUID()).yaml")
        defer { try? FileManager.default.removeItem(at: file) }
        let digest = Data(repeating: 1, count: 32).base64EncodedString()
        try "profile: 1\nhosts:\n  - {host: a.test, pins: [{anyOf: [\"rawkey:\(digest)\"]}]}\n".write(
            to: file, atomically: true, encoding: .utf8)
        let outcome = try await Probe.run(["profile", "convert", file.path, "--to", "android"])
        #expect(outcome.code == 65 && outcome.output.isEmpty)
        #expect(outcome.errors.contains("nothing of it can be written as android"), "\(outcome.errors)")
    }

    @Test func filesWithoutCertificates() async throws {
        try await ScratchFolder.withURL { folder in
            let key = folder.appending(path: "key.pem").path
            try LabPKI(epoch: .now).identity(.good).keyPEM.write(toFile: key, atomically: true, encoding: .utf8)
            let empty = folder.appending(path: "empty.pem").path
            try "".write(toFile: empty, atomically: true, encoding: .utf8)
            // A file of 100 MB without a byte on disk.
            let large = folder.appending(path: "large.der").path
            #expect(FileManager.default.createFile(atPath: large, contents: nil))
            try #require(FileHandle(forWritingAtPath: large)).truncate(atOffset: 100_000_000)
            let der = folder.appending(path: "broken.der").path
            try Data([0x30, 0x82, 0x01, 0x00, 0x30]).write(to: URL(filePath: der))
            // A key, and a certificate that was cut off.
            let cut = folder.appending(path: "cut.pem").path
            let secret = try String(contentsOfFile: key, encoding: .utf8)
            let leaf = CertificateFile.pem(try #require(try LabPKI(epoch: .now).identity(.good).chain.first))
            try (secret + leaf.prefix(300)).write(toFile: cut, atomically: true, encoding: .utf8)
            let body = try #require(secret.split(separator: "\n").dropFirst().first)
            try leaf.write(to: folder.appending(path: "leaf.pem"), atomically: true, encoding: .utf8)
            let signers = folder.appending(path: "signers.json").path
            try #"[{"name": "a", "certificate": "leaf.pem"}]"#.write(toFile: signers, atomically: true, encoding: .utf8)
            for command in [
                ["pins"], ["good.test", "--ca"], ["verify"], ["profile", "lint"],
                ["profile", "convert", "--to", "hex"],
                ["profile", "convert", "--from", "pem-pubkey", "--to", "hex"], ["check", "--profile"],
                ["signature", "--format", "json", "--content", "/dev/null", "--signers", signers, "--signature"],
            ] {
                let outcome = try await Probe.run(command + [cut])
                #expect([15, 64, 65].contains(outcome.code), "\(command) \(outcome.code) \(outcome.errors)")
                #expect(!(outcome.output + outcome.errors).contains(body), "a private key was printed: \(command)")
            }
            for (path, words) in [
                (key, "PRIVATE KEY"), (cut, "broken PEM"), (empty, "no certificate"), (large, "100000000"),
                (der, "ends before"),
            ] {
                for arguments in [["--ca", path, "good.test"], ["pins", path]] {
                    let outcome = try await Probe.run(arguments)
                    #expect(outcome.code == 65, "\(arguments)")
                    #expect(outcome.errors.contains(words), "\(outcome.errors)")
                    #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
                }
            }
        }
    }

    /// A program given by hand is never silently replaced by another.
    @Test func aProgramNamedLikeABackendOfTheBuild() async throws {
        try await ScratchFolder.withURL { folder in
            let program = folder.appending(path: "probe-transport-openssl").path
            #expect(
                FileManager.default.createFile(
                    atPath: program, contents: Data("#!/bin/sh\n".utf8), attributes: [.posixPermissions: 0o755]))
            for given in [["--plugin", program], ["--plugin-path", folder.path]] {
                for command in [["good.test"], ["conformance", "--filter", "tls/pins/"]] {
                    let outcome = try await Probe.run(command + given + ["--backend", "openssl"])
                    #expect(outcome.code == 64 && outcome.output.isEmpty, "\(outcome.output)")
                    #expect(outcome.errors.contains("of this build"), "\(outcome.errors)")
                }
            }
        }
    }

    /// The error comes before the first connection.
    @Test("[R72] bad input sends nothing") func nothingIsSent() async throws {
        let pki = LabPKI(epoch: .now)
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: pki) { server in
            let outcome = try await Probe.run(
                ["--connect", "\(server.endpoint)", "--pin", "sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "good.test"])
            #expect(outcome.code == 64)
            #expect(server.acceptedConnections == 0)
        }
    }
}
