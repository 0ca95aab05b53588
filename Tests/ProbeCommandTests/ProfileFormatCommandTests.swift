import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import ProbeTrust
import Testing

/// `probe profile convert` and `diff`, and `check --profile` with platforms' files, from the command line.
@Suite(.bounded) struct ProfileFormatCommandTests {
    private static let pki = LabPKI(epoch: .now)

    /// Runs `body` with a folder that has the lab's certificates in it.
    private func folder(_ body: (URL) async throws -> Void) async throws {
        try await ScratchFolder.withURL { folder in
            try Self.pki.rootPEM().write(to: folder.appending(path: "ca.pem"), atomically: true, encoding: .utf8)
            try CertificateFile.pem(Self.leaf()).write(
                to: folder.appending(path: "leaf.pem"), atomically: true, encoding: .utf8)
            try await body(folder)
        }
    }

    private static func leaf() throws -> [UInt8] { try #require(try pki.identity(.good).chain.first) }

    private static func spki() throws -> String { PinDigest.sha256(of: try pki.identity(.good).key.spki).base64 }

    private static func android(_ pin: String, host: String = "good.test") -> String {
        """
        <network-security-config><domain-config><domain>\(host)</domain><pin-set>
        <pin digest="SHA-256">\(pin)</pin><pin digest="SHA-256">XuAdGZ5Hy28pa2OHHMOry/fzpW8XyA5AV5bEDwSX2Ys=</pin>
        </pin-set></domain-config></network-security-config>
        """
    }

    @Test("[R7, R82] what openssl prints converts, and curl takes what is written") func realTools() async throws {
        try await folder { folder in
            let printed = try await Probe.shell(
                """
                cd \(folder.path); openssl x509 -in leaf.pem -noout -fingerprint -sha256 \
                | "$0" profile convert /dev/stdin --to native-yaml --host good.test
                """)
            #expect(printed.code == 0, "\(printed.errors)")
            #expect(printed.output.contains("cert:sha256:\(PinDigest.sha256(of: try Self.leaf()).hex)"))

            let key = try await Probe.shell(
                """
                cd \(folder.path); openssl x509 -in leaf.pem -noout -pubkey > key.pem; \
                "$0" profile convert leaf.pem --to pem-pubkey | cmp - key.pem && "$0" profile convert key.pem --to curl
                """)
            #expect(key.output == "sha256//\(try Self.spki())\n", "\(key.errors)")

            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
                let curl = """
                    cd \(folder.path); "$0" profile convert leaf.pem --kind spki --to curl > pin; \
                    curl -sS --max-time 10 --cacert ca.pem --connect-to good.test:443:\(server.endpoint) \
                    --pinnedpubkey
                    """
                // The server does not support HTTP: 90 is a pin that does not match, anything else came after it.
                let matching = try await Probe.shell("\(curl) \"$(cat pin)\" https://good.test/")
                #expect(matching.code != 90 && matching.code != 60, "\(matching.errors)")
                let wrong = try await Probe.shell(
                    "\(curl) sha256//XuAdGZ5Hy28pa2OHHMOry/fzpW8XyA5AV5bEDwSX2Ys= https://good.test/")
                #expect(wrong.code == 90, "\(wrong.errors)")
            }
        }
    }

    @Test func lossesGoToStandardError() async throws {
        try await folder { folder in
            let input = folder.appending(path: "nsc.xml").path
            try Self.android(try Self.spki()).write(toFile: input, atomically: true, encoding: .utf8)
            let plain = try await Probe.run(["profile", "convert", input, "--to", "apple"])
            #expect(plain.code == 0)
            #expect(plain.output.contains("NSPinnedDomains") && !plain.output.contains("lost"))
            #expect(plain.errors.contains("lost in apple: good.test: the pins are for 'any'"))
            let placed = try await Probe.run(["profile", "convert", input, "--to", "apple", "--position", "ca"])
            #expect(placed.output.contains("NSPinnedCAIdentities"))

            let strict = try await Probe.run(["profile", "convert", input, "--to", "apple", "--strict"])
            #expect(strict.code == 65)
            #expect(strict.output.isEmpty)
            let lossless = try await Probe.run(["profile", "convert", input, "--to", "okhttp", "--strict"])
            #expect(lossless.code == 0, "\(lossless.errors)")

            let output = folder.appending(path: "out.yaml").path
            let written = try await Probe.run(["profile", "convert", input, "--to", "native-yaml", "-o", output])
            #expect(written.code == 0 && written.output.isEmpty)
            let same = try await Probe.run(["profile", "diff", input, output])
            #expect(same.code == 0, "\(same.output)")
        }
    }

    /// Each loses something that would not show in the output.
    @Test(
        "nothing that is lost or not read passes --strict",
        arguments: [
            ("Pins.kt", "CertificatePinner.Builder().apply { add(host, \"sha256/PIN\") }", "android"),
            ("Pins.java", "b.add(\"a.test\", \"sha256/PIN\").add(\"b.test\", PIN);", "android"),
            ("pins", "a.test sha256/PIN sha1/2jmj7l5rSw0yVb/vlWAYkK/YBwk=", "android"),
            ("TrustKit.swift", "[kTSKPinnedDomains: [name: [kTSKPublicKeyHashes: [\"PIN\", \"TWO\"]]]]", "android"),
            (
                "nsc.xml",
                "<network-security-config><domain-config><domain>a.test.</domain><domain>b.test</domain><pin-set><pin digest=\"SHA-256\">PIN</pin></pin-set></domain-config></network-security-config>",
                "okhttp"
            ),
            (
                "nsc.xml",
                "<network-security-config><domain-config><domain includeSubdomains=\"true\">a.test</domain><pin-set><pin digest=\"SHA-256\">PIN</pin><pin digest=\"SHA-256\">TWO</pin></pin-set><domain-config><domain includeSubdomains=\"true\">b.a.test</domain><pin-set/></domain-config></domain-config></network-security-config>",
                "trustkit"
            ),
            (
                "nsc.xml",
                "<network-security-config><domain-config><domain>a.test</domain><pin-set><pin digest=\"SHA-256\">PIN</pin></pin-set></domain-config><domain-config><domain>b.test</domain><pinset><pin digest=\"SHA-256\">PIN</pin></pinset></domain-config></network-security-config>",
                "okhttp"
            ),
            (
                "zone",
                "_443._tcp.www IN TLSA 3 1 1 7f0a782800c3c8aa836b7a8de6fcba5142657df5c19e3ceb7a2dd04ee6287d86",
                "native-yaml"
            ),
            (
                "Info.plist",
                "<plist><dict><key>NSPinnedDomains</key><dict><key>a.test</key><dict><key>NSPinnedLeafIdentities</key><array><dict><key>SPKI-SHA256-BASE64</key><string>PIN</string></dict></array></dict></dict></dict></plist>",
                "native-yaml"
            ),
        ])
    func strictness(name: String, text: String, target: String) async throws {
        try await folder { folder in
            let input = folder.appending(path: name).path
            try text.replacing("\"PIN\"", with: "\"\(try Self.spki())\"").replacing(
                "sha256/PIN", with: "sha256/\(try Self.spki())"
            )
            .replacing(">PIN<", with: ">\(try Self.spki())<")
            .replacing("TWO", with: "XuAdGZ5Hy28pa2OHHMOry/fzpW8XyA5AV5bEDwSX2Ys=")
            .write(toFile: input, atomically: true, encoding: .utf8)
            let strict = try await Probe.run(["profile", "convert", input, "--to", target, "--strict"])
            #expect(strict.code == 65 && strict.output.isEmpty, "\(strict.output)\(strict.errors)")
        }
    }

    /// A file that can't be read can't be equal to another.
    @Test func diffOfWhatCannotBeReadIsAnError() async throws {
        try await folder { folder in
            let (one, two) = (folder.appending(path: "Pins.kt").path, folder.appending(path: "pins.txt").path)
            let line = "add(\"a.test\", \"sha256/\(try Self.spki())\")"
            try "a.test sha256/\(try Self.spki())\n".write(toFile: two, atomically: true, encoding: .utf8)
            try "CertificatePinner.Builder().apply { \(line) }".write(toFile: one, atomically: true, encoding: .utf8)
            let same = try await Probe.run(["profile", "diff", one, two])
            #expect(same.code == 0 && same.output == "no drift\n", "\(same.errors)")
            try "CertificatePinner.Builder().apply {\n\(line)\nadd(host, pin) }"
                .write(toFile: one, atomically: true, encoding: .utf8)
            let unread = try await Probe.run(["profile", "diff", one, two])
            #expect(unread.code == 65 && unread.output.isEmpty)
            #expect(
                unread.errors.contains("Pins.kt:3 ") && unread.errors.contains("add(host, pin) }"), "\(unread.errors)")
        }
    }

    /// An app is larger than a profile may be.
    @Test func appsOfManyMegabytesAreOpened() async throws {
        try await folder { folder in
            let path = folder.appending(path: "app.ipa").path
            var archive = Data([UInt8](repeating: 0, count: 6 << 20))
            archive.replaceSubrange(0..<4, with: [0x50, 0x4b, 3, 4])
            try archive.write(to: URL(filePath: path))
            let refused = try await Probe.run(["profile", "convert", path, "--to", "native-yaml"])
            #expect(refused.code == 65 && refused.errors.contains("no directory"), "\(refused.errors)")
        }
    }

    /// Uses the built command, because a library's encoder may behave differently there than in tests.
    @Test(arguments: [
        "native-yaml", "native-json", "apple", "android", "trustkit", "okhttp", "curl", "hpkp", "hex", "spki-b64",
    ])
    func everyFormatOfKeysIsWrittenAndRead(format: String) async throws {
        try await folder { folder in
            let (input, output) = (folder.appending(path: "a.xml").path, folder.appending(path: "b").path)
            let pin = try Self.spki()
            try Self.android(pin).write(toFile: input, atomically: true, encoding: .utf8)
            let written = try await Probe.run(
                ["profile", "convert", input, "--to", format, "--host", "good.test", "-o", output])
            #expect(written.code == 0, "\(written.errors)")
            let read = try await Probe.run(
                ["profile", "convert", output, "--from", format, "--to", "spki-b64", "--host", "good.test"])
            #expect(read.code == 0 && read.output.contains(pin), "\(read.errors)")
        }
    }

    @Test func driftIsTen() async throws {
        try await folder { folder in
            let (one, two) = (folder.appending(path: "a.xml").path, folder.appending(path: "b.xml").path)
            try Self.android(try Self.spki()).write(toFile: one, atomically: true, encoding: .utf8)
            try Self.android("fwp4KADDyKqDa3qN5vy6UUJlffXBnjzrei3QTuYofYY=")
                .write(toFile: two, atomically: true, encoding: .utf8)
            let drift = try await Probe.run(["profile", "diff", one, two, "--format", "json"])
            #expect(drift.code == 10)
            #expect(drift.lines.map { $0["code"] as? String } == ["pins", "pins"])
            let schema = try Schema.load("probe-drift-1.schema.json")
            for line in drift.lines { #expect(schema.violations(in: line) == []) }
            #expect(drift.lines.allSatisfy { $0["subject"] as? String == "good.test" })
            let text = try await Probe.run(["profile", "diff", one, two])
            #expect(text.output.hasSuffix("2 differences\n"))
            // The pins stand there as in the files, which are in base64.
            #expect(text.output.contains("\(one): \(try Self.spki()) (spki)\n"), "\(text.output)")
            #expect(text.output.contains("\(two): fwp4KADDyKqDa3qN5vy6UUJlffXBnjzrei3QTuYofYY= (spki)\n"))
            #expect(!text.output.contains("sha256:"))
        }
    }

    /// Each file's own form, where the two have different ones.
    @Test func driftIsInEachFilesForm() async throws {
        try await folder { folder in
            let (one, two) = (folder.appending(path: "a.xml").path, folder.appending(path: "b.txt").path)
            try Self.android(try Self.spki()).write(toFile: one, atomically: true, encoding: .utf8)
            let other = "7F0A782800C3C8AA836B7A8DE6FCBA5142657DF5C19E3CEB7A2DD04EE6287D86"
            try "\(other)\n".write(toFile: two, atomically: true, encoding: .utf8)
            let text = try await Probe.run([
                "profile", "diff", one, two, "--from-b", "hex", "--kind", "spki", "--host", "good.test",
            ])
            #expect(text.code == 10, "\(text.errors)")
            #expect(text.output.contains(": \(other) (spki)"), "\(text.output)")
            #expect(text.output.contains(": \(try Self.spki()) (spki)"), "\(text.output)")
        }
    }

    @Test("[R5, R52] a platform's file is a profile to check with") func checkWithPlatformFiles() async throws {
        try await folder { folder in
            let (config, ca) = (folder.appending(path: "nsc.xml").path, folder.appending(path: "ca.pem").path)
            let fingerprint = folder.appending(path: "leaf.pem").path
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
                let arguments = [
                    "check", "--backend", "openssl", "--connect", "\(server.endpoint)", "--ca", ca, "--profile",
                ]
                for (pin, host, code) in [
                    (try Self.spki(), "good.test", 0),
                    ("fwp4KADDyKqDa3qN5vy6UUJlffXBnjzrei3QTuYofYY=", "good.test", 10),
                    // Android lets the system decide; the warning reports that nothing is pinned.
                    (try Self.spki(), "other.test", 0),
                ] as [(String, String, Int32)] {
                    try Self.android(pin, host: host).write(toFile: config, atomically: true, encoding: .utf8)
                    let outcome = try await Probe.run(arguments + [config, "good.test"])
                    #expect(outcome.code == code, "\(outcome.output)\(outcome.errors)")
                    #expect(outcome.output.contains("warning pins/host-not-listed") == (host == "other.test"))
                }
                let pem = try await Probe.run(arguments + [fingerprint, "good.test"])
                #expect(pem.code == 0, "\(pem.output)\(pem.errors)")
            }
        }
    }

    /// The verdict rests on a list that anyone may have written, so the report says so too.
    @Test func aListWithUncheckedSignaturesHasANote() async throws {
        try await folder { folder in
            let list = folder.appending(path: "list.json").path
            let fingerprint = PinDigest.sha256(of: try Self.leaf()).base64
            try
                "{\"fingerprints\": [{\"name\": \"good.test\", \"fingerprint\": \"\(fingerprint)\", \"expires\": 4102444800}]}"
                .write(toFile: list, atomically: true, encoding: .utf8)
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
                let outcome = try await Probe.run([
                    "check", "--backend", "openssl", "--connect", "\(server.endpoint)", "--ca",
                    folder.appending(path: "ca.pem").path, "--profile", list, "--fail-on-warning", "good.test",
                ])
                #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
                #expect(outcome.output.contains("note pins/signatures-not-checked"), "\(outcome.output)")
            }
        }
    }

    @Test("[R84] a check takes a signed list only if the given key signed it")
    func aSignedListIsCheckedWithItsKey() async throws {
        try await folder { folder in
            let (name, expires) = ("good.test", 4_102_444_800)
            let fingerprint = PinDigest.sha256(of: try Self.leaf()).base64
            let made = try await Probe.shell(
                """
                cd \(folder.path)
                for key in own other; do
                    openssl ecparam -name prime256v1 -genkey -noout -out $key.key
                    openssl pkey -in $key.key -pubout -out $key.pem
                done
                printf '%s' '\(name)&\(fingerprint)&\(expires)' | openssl dgst -sha256 -sign own.key | base64 -w0
                """)
            let list = folder.appending(path: "list.json").path
            try """
            {"fingerprints": [{"name": "\(name)", "fingerprint": "\(fingerprint)", "expires": \(expires),
              "signature": "\(made.output)"}]}
            """.write(toFile: list, atomically: true, encoding: .utf8)
            try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
                let arguments = [
                    "check", "--backend", "openssl", "--connect", "\(server.endpoint)", "--ca",
                    folder.appending(path: "ca.pem").path, "--profile", list, name, "--key",
                ]
                let signed = try await Probe.run(arguments + [folder.appending(path: "own.pem").path])
                #expect(signed.code == 0, "\(signed.output)\(signed.errors)")
                #expect(!signed.output.contains("signatures-not-checked"), "\(signed.output)")
                let foreign = try await Probe.run(arguments + [folder.appending(path: "other.pem").path])
                #expect(foreign.code == 15 && foreign.output.isEmpty, "\(foreign.output)\(foreign.errors)")
                #expect(foreign.errors.contains("entries that the key did not sign: \(name)"), "\(foreign.errors)")
            }
        }
    }

    /// A key that nothing was signed with would seem to have an effect.
    @Test func aKeyIsOfASignedListAlone() async throws {
        try await folder { folder in
            let pem = folder.appending(path: "leaf.pem").path
            let idle = try await Probe.run(["check", "--profile", pem, "--key", pem, "good.test"])
            #expect(idle.code == 65, "\(idle.errors)")
            let alone = try await Probe.run(["check", "--key", pem, "good.test"])
            #expect(alone.code == 64 && alone.errors.contains("--key is given and --profile is not"), "\(alone.errors)")
        }
    }

    @Test(
        arguments: [
            (["convert", "FILE", "--to", "andriod"], 64, "did you mean 'android'"),
            (["convert", "FILE", "--to", "apple", "--from", "plist"], 64, "--from"),
            (["convert", "FILE", "--to", "apple", "--host", "a b"], 64, "--host"),
            (["convert", "FILE", "--to", "apple", "--kind", "key"], 64, "--kind"),
            (["convert", "FILE", "--to", "apple", "--position", "root"], 64, "--position"),
            (["convert", "FILE", "--to", "apple"], 65, "no format that its content gives away"),
            (["convert", "FILE", "--from", "hex", "--to", "apple"], 65, "FILE:1"),
            (["convert", "/nonexistent", "--to", "apple"], 65, "can't be read"),
            (["diff", "FILE", "FILE"], 65, "no format that its content gives away"),
            (["diff", "FILE", "FILE", "--format", "sarif"], 64, "--format"),
        ] as [([String], Int32, String)])
    func badInput(arguments: [String], code: Int32, words: String) async throws {
        try await folder { folder in
            let file = folder.appending(path: "nonsense").path
            try "nothing of use\n".write(toFile: file, atomically: true, encoding: .utf8)
            let outcome = try await Probe.run(["profile"] + arguments.map { $0 == "FILE" ? file : $0 })
            #expect(outcome.code == code, "\(outcome.errors)")
            #expect(outcome.output.isEmpty)
            #expect(outcome.errors.contains(words.replacing("FILE", with: file)), "\(outcome.errors)")
            #expect(outcome.errors.split(separator: "\n").count == 1, "\(outcome.errors)")
            let check = try await Probe.run(["--profile", file, "good.test"])
            #expect(check.code == 65 && check.errors.contains("no format that its content gives away"))
        }
    }
}
