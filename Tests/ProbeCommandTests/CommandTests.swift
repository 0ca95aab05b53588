import Foundation
import FoundationXML
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import Subprocess
import Testing

/// The command line as scripts and users see it.
@Suite(.bounded) struct CommandTests {
    static let pki = LabPKI(epoch: .now)

    /// Runs `probe` against a lab server with the lab's CA; the target is good.test.
    private func probe(
        _ peer: LabPeer, _ arguments: [String], command: [String] = [], target: String = "good.test:443",
        environment: Environment = .inherit
    ) async throws -> Probe.Outcome {
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-command-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let ca = folder.appending(path: "ca.pem").path
        try Self.pki.rootPEM().write(toFile: ca, atomically: true, encoding: .utf8)
        return try await LabServer.run(peer, pki: Self.pki) { server in
            try await Probe.run(
                command + ["--connect", "\(server.endpoint)", "--ca", ca] + arguments + [target],
                environment: environment)
        }
    }

    private func pin(_ identity: LabIdentityName = .good) throws -> PinDigest {
        PinDigest.sha256(of: try Self.pki.identity(identity).key.spki)
    }

    @Test("[R15, R43] a good target passes, without a warning", arguments: ["openssl", "gnutls", "curl", "nio"])
    func aGoodTargetPasses(backend: String) async throws {
        let outcome = try await probe(
            .tls(LabTLSRecipe(.good)),
            ["--backend", backend, "--pin", "spki:sha256:\(try pin().base64)", "--format", "json"])
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        let line = try #require(outcome.lines.first)
        #expect(outcome.lines.count == 1)
        #expect(line["schema"] as? String == "probe/1")
        #expect(line["target"] as? String == "good.test:443")
        #expect(line["transport"] as? String == backend)
        #expect(line["resolver"] is NSNull)
        #expect(line["outcome"] as? String == "pass")
    }

    @Test(arguments: ["openssl", "gnutls", "curl", "nio"]) func aWrongPinIsTen(backend: String) async throws {
        let outcome = try await probe(
            .tls(LabTLSRecipe(.good)),
            ["--backend", backend, "--pin", "spki:sha256:\(try pin(.p384).hex)", "--format", "json"])
        #expect(outcome.code == 10)
        #expect(outcome.lines.first?["outcome"] as? String == "pin-mismatch")
        #expect(outcome.lines.first?["stage"] as? String == "pins")
    }

    /// An OpenSSL without ciphers in its configuration fails alone, without affecting other backends.
    @Test(arguments: [("openssl", 70, "internal-error"), ("gnutls", 0, "pass"), ("nio", 0, "pass")])
    func aStackWithoutCiphersFailsAlone(backend: String, code: Int32, outcome: String) async throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "probe-openssl-\(UUID()).cnf")
        defer { try? FileManager.default.removeItem(at: file) }
        let settings = """
            openssl_conf = init
            [init]
            providers = providers
            [providers]
            base = base
            [base]
            activate = 1

            """
        try settings.write(to: file, atomically: true, encoding: .utf8)
        let result = try await probe(
            .tls(LabTLSRecipe(.good)), ["--backend", backend, "--format", "json", "--system-settings"],
            environment: .inherit.updating(["OPENSSL_CONF": file.path]))
        #expect(result.code == code, "\(result.output)\(result.errors)")
        #expect(result.lines.first?["outcome"] as? String == outcome)
    }

    /// A refusing proxy, and files that name it: it must never be dialled.
    @Test func proxiesAndSettingsOfTheEnvironmentAreIgnored() async throws {
        let home = FileManager.default.temporaryDirectory.appending(path: "probe-home-\(UUID())")
        try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: home) }
        try "proxy = http://127.0.0.1:1\n".write(to: home.appending(path: ".curlrc"), atomically: true, encoding: .utf8)
        try "default login a password b\n".write(to: home.appending(path: ".netrc"), atomically: true, encoding: .utf8)
        var environment: [Environment.Key: String] = ["HOME": home.path, "CURL_HOME": home.path]
        for name: Environment.Key in ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
            environment[name] = "http://127.0.0.1:1"
        }
        let outcome = try await probe(
            .tls(LabTLSRecipe(.good)), ["--backend", "all", "--format", "json"],
            environment: .inherit.updating(environment.mapValues { .some($0) }))
        #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
    }

    @Test(
        "[R43, R48] each outcome has its exit code",
        arguments: [
            (LabPeer.tls(LabTLSRecipe(.expired)), 11, "trust-failed"), (.resetsAfterHello, 20, "handshake-failed"),
            (.dead, 20, "unreachable"), (.plainHTTP, 20, "handshake-failed"),
        ] as [(LabPeer, Int32, String)])
    func outcomesHaveTheirCodes(peer: LabPeer, code: Int32, name: String) async throws {
        let outcome = try await probe(peer, ["--format", "json", "--timeout", "3"])
        #expect(outcome.code == code)
        #expect(outcome.lines.count >= 2)
        #expect(outcome.lines.allSatisfy { $0["outcome"] as? String == name })
    }

    @Test func tlsPolicyIsTwelve() async throws {
        let peer = LabPeer.tls(LabTLSRecipe(.good, versions: .tls12 ... .tls12))
        #expect(try await probe(peer, ["--min-tls", "1.3"]).code == 12)
        #expect(try await probe(peer, ["--min-tls", "1.2"]).code == 0)
    }

    @Test("[R30] time can be chosen") func timeCanBeChosen() async throws {
        let peer = LabPeer.tls(LabTLSRecipe(.good))
        let later = RFC3339.format(Self.pki.epoch.addingTimeInterval(86_400 * 100))
        let outcome = try await probe(peer, ["--at", later, "--format", "json"])
        #expect(outcome.code == 11)
        let codes = outcome.lines.flatMap {
            ($0["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
        }
        #expect(Set(codes) == ["expired"])
    }

    @Test("[R59, R63] the text names the kind, the certificate and the remedy") func textNamesKindCertificateAndRemedy()
        async throws
    {
        let outcome = try await probe(
            .tls(LabTLSRecipe(.good)), ["--pin", "cert:sha256:\(try pin().hex)"])
        #expect(outcome.code == 10)
        #expect(outcome.output.contains("SPKI hash of certificate 0"))
        let leaf = PinDigest.sha256(of: try Self.pki.identity(.good).leaf)
        #expect(outcome.output.contains("give --pin cert@leaf:sha256:\(leaf.base64)"))
        #expect(!outcome.output.contains("\u{1b}["), "colour without a terminal")
    }

    @Test func everyLineKeepsToTheSchema() async throws {
        let schema = try Schema.load("probe-1.schema.json")
        let peers: [LabPeer] = [
            .tls(LabTLSRecipe(.good)), .tls(LabTLSRecipe(.expired, asksForCertificate: true)),
            .alert(.handshakeFailure), .dead,
            .tls(LabTLSRecipe(.rootIncluded, applicationProtocols: ["h2"])),
        ]
        for peer in peers {
            let outcome = try await probe(peer, ["--format", "json", "--alpn", "h2", "--pin", "spki:\(try pin().hex)"])
            #expect(!outcome.lines.isEmpty)
            for line in outcome.lines { #expect(schema.violations(in: line) == []) }
        }
    }

    @Test("[R17, R20, R21] listed, not listed and absent have their exit codes") func modelsHaveTheirCodes()
        async throws
    {
        let name = try DNSName("models.test")
        let zone = LabDNSZone([name: .answer(.txt("dc,florida,tampa,atlanta"))])
        let schema = try Schema.load("probe-1.schema.json")
        try await LabDNSServer.run(zone) { server in
            let ask = ["--dns-server", "\(server.endpoint)", "--format", "json"]
            for (arguments, code) in [
                (["models", "models.test", "--model", "florida"], 0), (["models", "models.test"], 0),
                (["models", "models.test", "--model", "visby"], 13),
                (["models", "refused.test", "--model", "florida"], 21),
            ] as [([String], Int32)] {
                let outcome = try await Probe.run(arguments + ask)
                #expect(outcome.code == code, "\(arguments) \(outcome.output) \(outcome.errors)")
                let line = try #require(outcome.lines.first)
                #expect(line["transport"] is NSNull)
                #expect(line["resolver"] as? String == "ldns")
                #expect(schema.violations(in: line) == [])
            }
            let asked = ["models", "models.test", "--dns-server", "\(server.endpoint)"]
            // The evidence is that of a resolver that got an answer.
            let two = try await Probe.run(asked + ["--model", "visby", "--resolver", "doh,ldns", "--verbose"])
            #expect(two.output.contains("the answers to ldns\n      models.test at"), "\(two.output)")
            let text = try await Probe.run(asked)
            #expect(text.output.contains("dc,florida,tampa,atlanta"))
        }
    }

    @Test("[R17] compare looks at the allow-lists of a profile too") func comparedModels() async throws {
        let zone = LabDNSZone([try DNSName("models.test"): .answer(.txt("dc,florida"))])
        try await LabDNSServer.run(zone) { server in
            let file = FileManager.default.temporaryDirectory.appending(path: "probe-compare-\(UUID()).yaml")
            defer { try? FileManager.default.removeItem(at: file) }
            try """
            profile: 1
            models: [{model: visby, hosts: [models.test], servers: ["\(server.endpoint)"]}]
            """.write(to: file, atomically: true, encoding: .utf8)
            let json = try await Probe.run(["compare", "--profile", file.path, "--format", "json"])
            #expect(json.code == 13, "\(json.output)\(json.errors)")
            let facts = try #require(json.lines.first?["facts"] as? [[String: Any]])
            #expect(facts.map { $0["fact"] as? String } == ["verdict", "model", "txt-items"])
            let schema = try Schema.load("probe-compare-1.schema.json")
            for line in json.lines { #expect(schema.violations(in: line) == []) }
            #expect(json.lines.count == 1)
        }
    }

    /// The first of two tries is answered while the second is in progress: the time is that of the question, which is
    /// less than the command took, and not the sum of both, which is more.
    @Test(arguments: ["ldns", "unbound"]) func aModelCheckIsTimedOnce(_ resolver: String) async throws {
        let slow = LabDNSBehaviour([.wait(.seconds(9)), .reply(LabDNSMessage(answers: [.txt("florida")]))])
        try await LabDNSServer.run(LabDNSZone(slow)) { server in
            let ask = [
                "models", "models.test", "--dns-server", "\(server.endpoint)", "--resolver", resolver, "--timeout",
                "60",
            ]
            let began = ContinuousClock.now
            async let json = Probe.run(ask + ["--format", "json"])
            async let junit = Probe.run(ask + ["--format", "junit"])
            let evidence = try #require(try await json.lines.first?["evidence"] as? [String: Any])
            let timings = try #require(evidence["timings"] as? [String: Any])
            let told = try #require(timings["dns"] as? Double)
            let output = try await junit.output
            try #require(!output.isEmpty, "FoundationXML crashes at an empty document")
            let root = try #require(try XMLDocument(xmlString: output).rootElement())
            let time = try #require(try root.nodes(forXPath: "//testcase/@time").first?.stringValue)
            let seconds = try #require(Double(time))
            let passed = (ContinuousClock.now - began) / .seconds(1)
            #expect((9..<passed).contains(told))
            #expect((9..<passed).contains(seconds))
        }
    }

    @Test func sizesThatAStackCannotAdvertiseAreRefused() async throws {
        try await LabDNSServer.run(LabDNSZone(.answer(.txt("florida")))) { server in
            for (resolver, size, code) in [("cares", 4096, 0), ("cares", 4097, 40), ("ldns", 65_535, 0)]
                as [(String, Int, Int32)]
            {
                let outcome = try await Probe.run([
                    "models", "models.test", "--dns-server", "\(server.endpoint)", "--resolver", resolver,
                    "--edns-size",
                    "\(size)",
                ])
                #expect(outcome.code == code, "\(resolver) \(size) \(outcome.output)")
                #expect(outcome.output.contains("edns-size-above-4096") == (code == 40))
            }
        }
    }

    @Test func whatIsNotValidatedDoesNotCountWhereItHasTo() async throws {
        let zone = LabDNSZone(.answer(.txt("dc,florida")))
        let anchor = "example. IN DS 1 13 2 " + String(repeating: "0F", count: 32)
        let schema = try Schema.load("probe-1.schema.json")
        try await LabDNSServer.run(zone) { server in
            let ask = [
                "models", "models.test", "--model", "florida", "--dns-server", "\(server.endpoint)", "--format", "json",
                "--dnssec-anchor", anchor,
            ]
            for (policy, resolver, code, finding) in [
                ("prefer", "unbound", 0, "model-listed"), ("require", "unbound", 21, "dnssec-insecure"),
                ("require", "ldns", 40, "unsupported"),
            ] as [(String, String, Int32, String)] {
                let outcome = try await Probe.run(ask + ["--dnssec", policy, "--resolver", resolver])
                #expect(outcome.code == code, "\(policy) \(resolver) \(outcome.output) \(outcome.errors)")
                let line = try #require(outcome.lines.first)
                #expect(schema.violations(in: line) == [])
                let findings = try #require(line["findings"] as? [[String: Any]])
                #expect(findings.contains { $0["code"] as? String == finding }, "\(findings)")
            }
        }
    }

    @Test("[R39] the pins of a file are those of the server that presents it") func pinsOfAFileAreThoseOfTheServer()
        async throws
    {
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-pins-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let pem = folder.appending(path: "chain.pem").path
        try Self.pki.identity(.good).chainPEM.write(toFile: pem, atomically: true, encoding: .utf8)
        let file = try await Probe.run(["pins", pem, "--format", "json"])
        let live = try await probe(.tls(LabTLSRecipe(.good)), ["--format", "json"], command: ["pins"])
        #expect(file.code == 0 && live.code == 0, "\(live.errors)")
        let keys = ["certSHA256", "spkiSHA256", "rawKeySHA256"]
        func hashes(_ lines: some Sequence<[String: Any]>) -> [[String]] {
            lines.map { line in keys.map { line[$0] as? String ?? "" } }
        }
        #expect(hashes(file.lines) == hashes(live.lines.prefix(2)))
        #expect(live.lines.count == 3, "leaf, intermediate and the anchor")
        #expect(file.lines.first?["spkiSHA256"] as? String == (try pin().hex))
        let (text, spki) = (try await Probe.run(["pins", pem]).output, try pin().base64)
        for form in ["sha256/", "sha256//", "pin-sha256=\""] { #expect(text.contains(form + spki), "\(text)") }
    }

    /// A script sees it as a reader of the text does.
    @Test func pinsHaveTheirPathInJSON() async throws {
        func paths(_ name: LabIdentityName) async throws -> [Bool?] {
            let run = try await probe(.tls(LabTLSRecipe(name)), ["--format", "json"], command: ["pins"])
            #expect(run.lines.allSatisfy { $0.keys.contains("onValidPath") }, "\(run.output)")
            return run.lines.map { $0["onValidPath"] as? Bool }
        }
        #expect(try await paths(.good) == [true, true, true])
        #expect(Set(try await paths(.extraCertificates)) == [true, false])
        #expect(Set(try await paths(.expired)) == [nil])
    }

    /// Nobody pins a stranger's certificate unaware; what is shown, and the exit code, stay.
    @Test func pinsOfAnUntrustedChainAreShownWithAWarning() async throws {
        let trusted = try await probe(.tls(LabTLSRecipe(.extraCertificates)), [], command: ["pins"])
        #expect(trusted.code == 0 && !trusted.errors.contains("not trusted"), "\(trusted.errors)")
        #expect(trusted.output.contains(" (sent along, on no valid path)"), "\(trusted.output)")
        let good = try await probe(.tls(LabTLSRecipe(.good)), [], command: ["pins"])
        #expect(!good.output.contains("sent along"), "\(good.output)")
        let stranger = try await probe(.tls(LabTLSRecipe(.unknownIssuer)), [], command: ["pins"])
        #expect(stranger.code == 0 && stranger.errors.contains("the chain is not trusted: "), "\(stranger.errors)")
        // The issuer is on no valid path because there is none, and not because it was only sent along.
        let late = try await probe(.tls(LabTLSRecipe(.expired)), [], command: ["pins"])
        #expect(
            late.errors.contains("the chain is not trusted: ") && !late.output.contains("sent along"), "\(late.output)")
    }

    @Test func backendsAreListed() async throws {
        let outcome = try await Probe.run(["backends", "--format", "json"])
        let kinds = outcome.lines.compactMap { $0["kind"] as? String }
        #expect(Set(kinds) == ["transport", "resolver", "digester", "validator"])
        for line in outcome.lines {
            #expect(Set(line.keys) == ["kind", "name", "library", "version", "capabilities"])
        }
    }

    @Test func junitAndSarifAreWellFormed() async throws {
        let peer = LabPeer.tls(LabTLSRecipe(.expired))
        let junit = try await probe(peer, ["--format", "junit"])
        try #require(!junit.output.isEmpty, "FoundationXML crashes at an empty document")
        let root = try #require(try XMLDocument(xmlString: junit.output).rootElement())
        let transports = try await Probe.run(["backends", "--format", "json"]).lines.filter {
            $0["kind"] as? String == "transport"
        }
        // All stacks come to the same: that is one case.
        let suite = try #require(root.elements(forName: "testsuite").first)
        #expect(suite.attribute(forName: "failures")?.stringValue == "1")
        let name = suite.elements(forName: "testcase").first?.attribute(forName: "name")?.stringValue
        #expect(name == transports.compactMap { $0["name"] as? String }.joined(separator: ", "))
        let sarif = try await probe(peer, ["--format", "sarif"])
        let document = try #require(try JSONSerialization.jsonObject(with: Data(sarif.output.utf8)) as? [String: Any])
        #expect(document["version"] as? String == "2.1.0")
        #expect(junit.code == 11 && sarif.code == 11)
    }

    @Test(arguments: ["bash", "zsh", "fish"]) func completionsAreWritten(shell: String) async throws {
        let outcome = try await Probe.run(["--generate-completion-script", shell])
        #expect(outcome.code == 0)
        #expect(outcome.output.contains("--backend") || outcome.output.contains("backend"))
    }

    @Test func helpTeachesByExample() async throws {
        for command in [
            [], ["check"], ["pins"], ["models"], ["signature"], ["backends"], ["lab"], ["scan"], ["cache"],
            ["cache", "clear"],
        ] {
            let outcome = try await Probe.run(command + ["--help"])
            #expect(outcome.code == 0)
            #expect(outcome.output.contains("EXAMPLES"), "\(command)")
        }
    }

    @Test("[R59] a greeting in clear text and an alert say what they mean, through every stack")
    func greetingsAndAlertsAreExplained() async throws {
        for (peer, words, fix) in [
            (.plainSMTP, "the peer speaks SMTP", "465"), (.plainHTTP, "the peer speaks HTTP, not TLS", "usually 443"),
            (.alert(.protocolVersion), "accepts none of the TLS versions", "TLS 1.2 or 1.3"),
            (.choosesTLS10, "accepts none of the TLS versions", "TLS 1.2 or 1.3"),
            (.alert(.unrecognizedName), "does not know the name 'good.test'", "check the name"),
            (.alert(.noApplicationProtocol), "none of the application protocols", "--alpn"),
        ] as [(LabPeer, String, String)] {
            let outcome = try await probe(peer, ["--format", "json"])
            #expect(outcome.code == 20 && outcome.lines.count >= 4)
            for line in outcome.lines {
                let finding = try #require((line["findings"] as? [[String: Any]])?.first)
                #expect((finding["message"] as? String)?.contains(words) == true, "\(finding)")
                #expect((finding["fix"] as? String)?.contains(fix) == true, "\(finding)")
            }
        }
    }

    /// Root reads everything, so the command runs as somebody else then.
    @Test func aFileThatMayNotBeReadIsNamed() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "probe-unreadable-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "closed.pem").path
        try "x".write(toFile: file, atomically: true, encoding: .utf8)
        let outcome = try await Probe.shell(
            """
            chmod 755 '\(folder.path)'; chmod 000 '\(file)'; run=
            if [ "$(id -u)" = 0 ]; then run='setpriv --reuid 65534 --regid 65534 --clear-groups'; fi
            for arguments in 'pins FILE' 'check --profile FILE' 'check --ca FILE a.test' 'scan --list FILE'; do
                $run "$0" ${arguments/FILE/\(file)}; echo $?
            done
            """)
        #expect(outcome.output == "65\n65\n65\n65\n", "\(outcome.output)\(outcome.errors)")
        let errors = outcome.errors.split(separator: "\n")
        #expect(
            errors.count == 4 && errors.allSatisfy { $0.contains(file) && $0.contains("can't be read") },
            "\(errors)")
    }

    @Test func theVersionIsThatOfTheChangelog() async throws {
        let outcome = try await Probe.run(["--version"])
        #expect(outcome.code == 0)
        let changelog = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "CHANGELOG.md")
        let versions = try String(contentsOf: changelog, encoding: .utf8).matches(of: #/(?m)^## (\d+\.\d+\.\d+)/#)
        #expect(versions.first.map { "\($0.1)\n" } == outcome.output)
    }

    /// Libraries end the process if they get no descriptor.
    @Test func tooFewDescriptorsAreSaid() async throws {
        for limit in [20, 64, 127] {
            let outcome = try await Probe.shell("ulimit -n \(limit); \"$0\" backends")
            #expect(outcome.code == 70 && outcome.output.isEmpty, "\(limit) \(outcome.code)")
            #expect(outcome.errors.contains("ulimit -n"), "\(outcome.errors)")
        }
        #expect(try await Probe.shell("ulimit -n 128; \"$0\" models a.test --dns-server 127.0.0.1:1").code == 21)
    }

    /// A reader that went away, or a full disk, must not turn a failure into a pass.
    @Test func whatWasNotToldIsNoVerdict() async throws {
        let failing = "--connect 127.0.0.1:1 --timeout 1 a.test b.test"
        let piped = try await Probe.shell("{ sleep 0.3; \"$0\" \(failing); echo $? >&2; } | true")
        #expect(piped.errors == "141\n")
        let full = try await Probe.shell("\"$0\" \(failing) >/dev/full; echo $? >&2")
        #expect(full.errors == "probe: the output can't be written: No space left on device\n70\n")
        // Not into a socket of a library that got the number 1.
        let closed = try await Probe.shell("\"$0\" --backend curl \(failing) >&-; echo $? >&2")
        #expect(closed.errors.hasSuffix("70\n"))
    }
}
