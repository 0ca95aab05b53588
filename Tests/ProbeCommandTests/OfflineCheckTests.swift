import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import ProbeTrust
import Testing

/// `probe check --chain`: the ordinary judgement without a connection, as a CI job calls it before a rotation.
@Suite(.bounded) struct OfflineCheckTests {
    private static let pki = LabPKI(epoch: .now)
    private static let host = "api.shop.example.com"

    /// A folder with the lab's root, five files of pins for `shop.example.com`, and chains for hosts below it alone.
    private struct Scene {
        let folder: URL
        let files: [String]

        var ca: [String] { ["--ca", folder.path + "/ca.pem"] }
        func path(_ name: String) -> String { folder.path + "/" + name }
    }

    private func scene(_ body: (Scene) async throws -> Void) async throws {
        try await ScratchFolder.withURL { folder in
            try Self.pki.rootPEM().write(to: folder.appending(path: "ca.pem"), atomically: true, encoding: .utf8)
            for (name, host, key) in [
                ("same-key", Self.host, "shop"), ("new-key", Self.host, "shop, renewed"),
                ("deep-new-key", "v1.api.shop.example.com", "shop, renewed"),
                ("deep-same-key", "v1.api.shop.example.com", "shop"),
                ("elsewhere", "api.elsewhere.test", "shop"),
            ] {
                let leaf = try Self.pki.issue(
                    .leaf(name) {
                        $0.commonName = host
                        $0.dnsNames = [host]
                        $0.key = LabKeyID(.p256, key)
                    })
                let chain = [leaf, try Self.pki.certificate(of: .intermediate)]
                try chain.map(CertificateFile.pem).joined().write(
                    to: folder.appending(path: "\(name).pem"), atomically: true, encoding: .utf8)
            }
            let pin = PinDigest.sha256(of: try Self.pki.key(LabKeyID(.p256, "shop")).spki)
            let files = PlatformFiles(domain: "shop.example.com", pins: [pin.base64, PinDigest.sha256(of: [1]).base64])
            try await body(Scene(folder: folder, files: try files.write(to: folder)))
        }
    }

    private func codes(of outcome: Probe.Outcome) -> Set<String> {
        Set(
            outcome.lines.flatMap { $0["findings"] as? [[String: Any]] ?? [] }.compactMap { $0["code"] as? String })
    }

    /// The private CA that an app trusts instead of the system's is not in its file.
    @Test func anchorsOfAnAppAreAskedFor() async throws {
        try await scene { scene in
            let pin = PinDigest.sha256(of: try Self.pki.key(LabKeyID(.p256, "shop")).spki).base64
            let file = scene.path("anchored.xml")
            try """
            <network-security-config><domain-config><domain>\(Self.host)</domain>
            <pin-set><pin digest="SHA-256">\(pin)</pin></pin-set>
            <trust-anchors><certificates src="@raw/own"/></trust-anchors></domain-config></network-security-config>
            """.write(toFile: file, atomically: true, encoding: .utf8)
            let command = [
                "check", "--chain", scene.path("same-key.pem"), "--profile", file, "--format", "json", Self.host,
            ]
            let asked = try await Probe.run(command)
            #expect(asked.code == 11 && asked.errors.contains("not the system's CAs"), "\(asked.errors)")
            let given = try await Probe.run(command + scene.ca)
            #expect(given.code == 0 && !given.errors.contains("the system's CAs"), "\(given.output)\(given.errors)")
            #expect(!codes(of: given).contains("trust-anchors-not-judged"))
        }
    }

    /// Anchors of the caller are not the app's either.
    @Test func anAppThatTrustsNoCAIsReported() async throws {
        try await scene { scene in
            let pin = PinDigest.sha256(of: try Self.pki.key(LabKeyID(.p256, "shop")).spki).base64
            let file = scene.path("unanchored.xml")
            try """
            <network-security-config><domain-config><domain>\(Self.host)</domain>
            <pin-set><pin digest="SHA-256">\(pin)</pin></pin-set><trust-anchors/></domain-config></network-security-config>
            """.write(toFile: file, atomically: true, encoding: .utf8)
            let outcome = try await Probe.run(
                ["check", "--chain", scene.path("same-key.pem"), "--profile", file, "--format", "json", Self.host]
                    + scene.ca)
            #expect(outcome.errors.contains("the app trusts no CA"), "\(outcome.errors)")
            #expect(codes(of: outcome).contains("trust-anchors-not-judged"), "\(outcome.output)")
        }
    }

    // MARK: Rotations

    @Test(
        "a renewal with the same key passes every platform's file, one with a new key is 10, by the script of the examples"
    )
    func rotations() async throws {
        let script = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Examples/rotation/before-rotation.sh").path
        try await scene { scene in
            func run(
                _ chain: String, _ more: String = "", for host: String = Self.host, files: [String]? = nil
            ) async throws -> (code: Int32, table: [String]) {
                let files = (files ?? scene.files).map { "'\($0)'" }.joined(separator: " ")
                let outcome = try await Probe.shell(
                    "PROBE=\"$0\" PROBE_OPTIONS='--ca \(scene.path("ca.pem")) \(more)' '\(script)' \(host) '\(scene.path(chain))' \(files)"
                )
                return (outcome.code, outcome.output.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) })
            }
            let same = try await run("same-key.pem")
            #expect(same == (0, ["0", "0", "0", "0", "0"]))
            let new = try await run("new-key.pem")
            #expect(new == (10, ["10", "10", "10", "10", "10"]))
            let other = try await run("elsewhere.pem")
            #expect(other == (11, ["11", "11", "11", "11", "11"]))
            let soon = try await run("same-key.pem", "--expires-within 61d")
            #expect(soon == (11, ["11", "11", "11", "11", "11"]))
            // The platforms of these two connect without pins: a gate that looks at nothing is closed.
            let unpinned = try await run(
                "deep-same-key.pem", for: "v1.api.shop.example.com", files: [scene.files[0], scene.files[2]])
            #expect(unpinned == (10, ["0", "0"]))
        }
    }

    /// Two labels below the pinned domain: App Transport Security and OkHttp's `*.` reach one, Android and TrustKit any.
    @Test(
        "a host below an apex is judged by its platform's rules, in check, lint and forecast alike",
        arguments: [
            (0, 0, "host-not-listed"), (1, 10, "pin-mismatch"), (2, 0, "host-not-listed"), (3, 10, "pin-mismatch"),
        ] as [(Int, Int32, String)]) func belowAnApex(file: Int, code: Int32, finding: String) async throws
    {
        try await scene { scene in
            let (path, deep) = (scene.files[file], scene.path("deep-new-key.pem"))
            let check = try await Probe.run(
                ["check", "--chain", deep, "--profile", path, "--format", "json"] + scene.ca + [
                    "v1.api.shop.example.com"
                ])
            #expect(check.code == code, "\(check.output)\(check.errors)")
            #expect(codes(of: check).contains(finding))
            for command in ["forecast", "lint"] {
                let named = [
                    "v1.api.shop.example.com=\(deep)", "v1.api.shop.example.com=\(scene.path("deep-same-key.pem"))",
                ]
                let failing = try await Probe.run(["profile", command, path, "--chain", named[0]] + scene.ca)
                #expect(failing.code == code, "\(command) \(failing.output)\(failing.errors)")
                #expect(failing.errors.contains("v1.api.shop.example.com with \(deep): pin-mismatch") == (code == 10))
                let passing = try await Probe.run(["profile", command, path, "--chain", named[1]] + scene.ca)
                #expect(passing.code == 0, "\(command) \(passing.output)\(passing.errors)")
            }
        }
    }

    @Test("a file alone is for the host that its leaf names and a rule reaches") func bareFiles() async throws {
        try await scene { scene in
            for file in scene.files {
                for (chain, code) in [("same-key.pem", 0), ("new-key.pem", 10)] as [(String, Int32)] {
                    let arguments = [file, "--chain", scene.path(chain)] + scene.ca
                    let forecast = try await Probe.run(["profile", "forecast", "--format", "json"] + arguments)
                    #expect(forecast.code == code, "\(file) \(forecast.output)\(forecast.errors)")
                    let served = forecast.lines.filter {
                        $0["event"] as? String == "as-served"
                            && $0["result"] as? String == (code == 0 ? "passes" : "fails")
                            && (code == 10 || ($0["reason"] as? String)?.contains(Self.host) == true)
                    }
                    #expect(!served.isEmpty, "\(forecast.output)")
                    let lint = try await Probe.run(["profile", "lint", "--format", "json"] + arguments)
                    #expect(lint.code == code, "\(file) \(lint.output)\(lint.errors)")
                    let lost = lint.lines.contains { $0["code"] as? String == "no-pin-matches" }
                    #expect(lost == (code == 10), "\(file) \(lint.output)")
                    let check = try await Probe.run(
                        ["check", "--chain", scene.path(chain), "--profile", file] + scene.ca)
                    #expect(check.code == code, "\(file) \(check.output)\(check.errors)")
                }
            }
            // It names no host of the file, which has one alone: it is judged as that one's.
            let wrong = try await Probe.run(
                ["profile", "lint", scene.files[0], "--chain", scene.path("elsewhere.pem")] + scene.ca)
            #expect(wrong.code == 11, "\(wrong.output)\(wrong.errors)")
        }
    }

    // MARK: The ordinary judgement

    @Test(
        "what a live check says is what a check of the same chain says",
        arguments: [
            .good, .expired, .notYetValid, .unknownIssuer, .renewedNewKey, .renewedSameKey, .lasting826Days, .wildcard,
            .selfSigned,
        ] as [LabIdentityName]) func asALiveCheck(identity: LabIdentityName) async throws
    {
        try await scene { scene in
            let chain = scene.path("chain.pem")
            try Self.pki.identity(identity).chainPEM.write(toFile: chain, atomically: true, encoding: .utf8)
            let pin = PinDigest.sha256(of: try Self.pki.identity(.good).key.spki).base64
            let common = ["--pin", "spki@leaf:sha256:\(pin)", "--policy", "ats", "--format", "json"] + scene.ca
            let offline = try await Probe.run(["check", "--chain", chain] + common + ["good.test"])
            let live = try await LabServer.run(.tls(LabTLSRecipe(identity)), pki: Self.pki) { server in
                try await Probe.run(["check", "--connect", "\(server.endpoint)"] + common + ["good.test"])
            }
            #expect(offline.code == live.code, "\(offline.output)\n\(live.output)")
            func rows(_ outcome: Probe.Outcome) -> [String] {
                outcome.lines.map { line in
                    let findings = (line["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
                    let codes = findings.filter { !["no-connection", "client-certificate-requested"].contains($0) }
                    return "\(line["transport"] ?? "") \(line["outcome"] ?? "") \(codes.joined(separator: " "))"
                }
            }
            #expect(rows(offline) == rows(live))
            #expect(rows(offline).count >= 4)
        }
    }

    @Test("the line has all keys of probe/1, and nothing where there was no connection") func line() async throws {
        try await scene { scene in
            let arguments = ["check", "--chain", "\(Self.host)=\(scene.path("same-key.pem"))", "--backend", "openssl"]
            let outcome = try await Probe.run(arguments + ["--format", "json"] + scene.ca)
            #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
            let line = try #require(outcome.lines.first)
            let schema = try Schema.load("probe-1.schema.json")
            #expect(schema.violations(in: line) == [])
            #expect(line["target"] as? String == "\(Self.host):443")
            #expect(line["outcome"] as? String == "pass")
            let evidence = try #require(line["evidence"] as? [String: Any])
            let tls = try #require(evidence["tls"] as? [String: Any])
            #expect(
                tls.filter { !($0.value is NSNull) }.keys.sorted() == ["clientCertificateIssuers", "handshakeSCTs"])
            let timings = try #require(evidence["timings"] as? [String: Any])
            #expect(timings.values.allSatisfy { $0 is NSNull })
            #expect((evidence["dns"] as? [Any])?.isEmpty == true)
            #expect(evidence["http"] is NSNull)
            let trust = try #require(evidence["trust"] as? [String: Any])
            for verifier in ["native", "reference"] {
                #expect((trust[verifier] as? [String: Any])?["accepted"] as? Bool == true)
            }
            #expect(codes(of: outcome).contains("no-connection"))
            for (format, words) in [("text", "no connection was made"), ("junit", "<testsuite"), ("sarif", "2.1.0")] {
                let other = try await Probe.run(arguments + ["--format", format] + scene.ca)
                #expect(other.code == 0 && other.output.contains(words), "\(other.output)")
            }
        }
    }

    /// A leaf demands a staple (RFC 7633), and without a connection nobody asks for one: that is not known to be good.
    @Test func aDemandedStapleIsNotJudged() async throws {
        try await scene { scene in
            let leaf = try Self.pki.issue(
                .leaf("stapled") {
                    $0.commonName = Self.host
                    $0.dnsNames = [Self.host]
                    $0.extensions = [.mustStaple]
                })
            let chain = [leaf, try Self.pki.certificate(of: .intermediate)]
            try chain.map(CertificateFile.pem).joined().write(
                toFile: scene.path("stapled.pem"), atomically: true, encoding: .utf8)
            let outcome = try await Probe.run(
                ["check", "--chain", scene.path("stapled.pem"), "--format", "json", Self.host] + scene.ca)
            #expect(outcome.code == 0 && codes(of: outcome).contains("staple-not-asked"), "\(outcome.output)")
            let line = try #require(outcome.lines.first)
            #expect(line["outcome"] as? String == "pass-with-warnings")
            let trust = (line["evidence"] as? [String: Any])?["trust"] as? [String: Any]
            #expect((trust?["reference"] as? [String: Any])?["judgesRevocation"] as? Bool == false)
        }
    }

    @Test("--at, --pin and --trust are as ever") func options() async throws {
        try await scene { scene in
            let chain = ["check", "--chain", scene.path("same-key.pem")] + scene.ca
            func code(_ arguments: [String]) async throws -> Int32 {
                try await Probe.run(chain + arguments + [Self.host]).code
            }
            func day(_ count: Double) -> [String] {
                ["--at", RFC3339.format(Self.pki.epoch.addingTimeInterval(count * 86_400))]
            }
            #expect(try await code(day(59)) == 0)
            #expect(try await code(day(61)) == 11)
            let pin = PinDigest.sha256(of: try Self.pki.key(LabKeyID(.p256, "shop")).spki)
            #expect(try await code(["--pin", "spki:sha256:\(pin.hex)"]) == 0)
            #expect(try await code(["--pin", "spki:sha256:\(PinDigest.sha256(of: [1]).hex)"]) == 10)
            #expect(try await code(["--trust", "reference"]) == 0)
            #expect(try await Probe.run(Array(chain.prefix(3)) + [Self.host]).code == 11, "the system has no such root")
        }
    }

    /// The certificate's window tolerates the next one if its key is pinned, assuming that the server's clock agrees.
    @Test func transitionWindows() async throws {
        try await scene { scene in
            func day(_ count: Double) -> String {
                RFC3339.day(Self.pki.epoch.addingTimeInterval(count * 86_400))
            }
            let key = PinDigest.sha256(of: try Self.pki.key(LabKeyID(.p256, "shop")).spki)
            let profile = """
                profile: 1
                services:
                  api:
                    url: \(Self.host)
                    serverDate: always
                    pins:
                      - {position: leaf, anyOf: ["spki:\(key.hex)"]}
                      - {position: leaf, anyOf: ["cert:\(key.hex)"], window: {from: \(day(-5)), to: \(day(20))}}
                """
            try profile.write(toFile: scene.path("window.yaml"), atomically: true, encoding: .utf8)
            let arguments = ["check", "--profile", scene.path("window.yaml"), "--format", "json"] + scene.ca
            let same = try await Probe.run(arguments + ["--chain", scene.path("same-key.pem"), Self.host])
            #expect(same.code == 0, "\(same.output)\(same.errors)")
            #expect(codes(of: same).contains("transition"))
            let new = try await Probe.run(arguments + ["--chain", scene.path("new-key.pem"), Self.host])
            #expect(new.code == 10)
        }
    }

    // MARK: Refusals

    @Test(
        "what needs a connection or DNS is refused by name",
        arguments: [
            ["--connect", "127.0.0.1:1"], ["--timeout", "3"], ["--server-date", "always"], ["--server-date", "never"],
            ["--min-tls", "1.3"], ["--alpn", "h2"], ["--model", "dc"], ["--model-host", "models.test"],
            ["--resolver", "ldns"], ["--dns-server", "127.0.0.1:53"], ["--dns-connect", "127.0.0.1:53"],
            ["--dns-ca", "ca.pem"], ["--dnssec", "require"], ["--dnssec-anchor", "x"], ["--edns-size", "1400"],
            ["--txt-strings", "separate"], ["--cache", "default"], ["--cache-lifetime", "60"], ["--no-cache"],
        ]) func refusedOptions(option: [String]) async throws
    {
        try await scene { scene in
            let outcome = try await Probe.run(
                ["check", "--chain", scene.path("same-key.pem")] + scene.ca + option + [Self.host])
            #expect(outcome.code == 64)
            #expect(outcome.errors.contains("\(option[0]) and --chain are given"), "\(outcome.errors)")
        }
    }

    @Test(
        arguments: [
            (["--chain", "none.pem", host], 65, "none.pem"), (["--chain", "\(host)="], 64, "names no file"),
            (["--chain", "FOLDER/same-key.pem", "a.test", "b.test"], 64, "does not say whom it is for"),
            (["--chain", "\(host)=FOLDER/same-key.pem", "a.test"], 64, "which is not a target"),
            (["--chain", "a.test=FOLDER/same-key.pem", "a.test", "b.test"], 64, "no --chain is for b.test"),
            (["--chain", "FOLDER/same-key.pem", "--chain", "FOLDER/new-key.pem", host], 64, "two --chain are for"),
            (["--chain", "FOLDER/ca.pem"], 64, "write --chain HOST="),
        ] as [([String], Int32, String)]) func unclearChains(arguments: [String], code: Int32, words: String)
        async throws
    {
        try await scene { scene in
            let outcome = try await Probe.run(
                ["check"] + scene.ca + arguments.map { $0.replacing("FOLDER", with: scene.folder.path) })
            #expect(outcome.code == code)
            #expect(outcome.errors.contains(words), "\(outcome.errors)")
        }
    }
}
