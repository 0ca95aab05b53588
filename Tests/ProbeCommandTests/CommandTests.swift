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
    private let bench = CommandBench()

    @Test("[R15, R43] a good target passes, without a warning", arguments: ["openssl", "gnutls", "curl", "nio"])
    func aGoodTargetPasses(backend: String) async throws {
        let outcome = try await bench.probe(
            .tls(LabTLSRecipe(.good)),
            ["--backend", backend, "--pin", "spki:sha256:\(try bench.pin().base64)", "--format", "json"])
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
        let outcome = try await bench.probe(
            .tls(LabTLSRecipe(.good)),
            ["--backend", backend, "--pin", "spki:sha256:\(try bench.pin(.p384).hex)", "--format", "json"])
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
        let result = try await bench.probe(
            .tls(LabTLSRecipe(.good)), ["--backend", backend, "--format", "json", "--system-settings"],
            environment: .inherit.updating(["OPENSSL_CONF": file.path]))
        #expect(result.code == code, "\(result.output)\(result.errors)")
        #expect(result.lines.first?["outcome"] as? String == outcome)
    }

    /// A refusing proxy, and files that name it: it must never be dialled.
    @Test func proxiesAndSettingsOfTheEnvironmentAreIgnored() async throws {
        try await ScratchFolder.withURL { home in
            try "proxy = http://127.0.0.1:1\n".write(
                to: home.appending(path: ".curlrc"), atomically: true, encoding: .utf8)
            try "default login a password b\n".write(
                to: home.appending(path: ".netrc"), atomically: true, encoding: .utf8)
            var environment: [Environment.Key: String] = ["HOME": home.path, "CURL_HOME": home.path]
            for name: Environment.Key in ["https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"] {
                environment[name] = "http://127.0.0.1:1"
            }
            let outcome = try await bench.probe(
                .tls(LabTLSRecipe(.good)), ["--backend", "all", "--format", "json"],
                environment: .inherit.updating(environment.mapValues { .some($0) }))
            #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
        }
    }

    @Test(
        "[R43, R48] each outcome has its exit code",
        arguments: [
            (LabPeer.tls(LabTLSRecipe(.expired)), 11, "trust-failed"), (.resetsAfterHello, 20, "handshake-failed"),
            (.dead, 20, "unreachable"), (.plainHTTP, 20, "handshake-failed"),
        ] as [(LabPeer, Int32, String)])
    func outcomesHaveTheirCodes(peer: LabPeer, code: Int32, name: String) async throws {
        let outcome = try await bench.probe(peer, ["--format", "json", "--timeout", "3"])
        #expect(outcome.code == code)
        #expect(outcome.lines.count >= 2)
        #expect(outcome.lines.allSatisfy { $0["outcome"] as? String == name })
    }

    @Test func tlsPolicyIsTwelve() async throws {
        let peer = LabPeer.tls(LabTLSRecipe(.good, versions: .tls12 ... .tls12))
        #expect(try await bench.probe(peer, ["--min-tls", "1.3"]).code == 12)
        #expect(try await bench.probe(peer, ["--min-tls", "1.2"]).code == 0)
    }

    @Test("[R30] time can be chosen") func timeCanBeChosen() async throws {
        let peer = LabPeer.tls(LabTLSRecipe(.good))
        let later = RFC3339.format(CommandBench.pki.epoch.addingTimeInterval(86_400 * 100))
        let outcome = try await bench.probe(peer, ["--at", later, "--format", "json"])
        #expect(outcome.code == 11)
        let codes = outcome.lines.flatMap {
            ($0["findings"] as? [[String: Any]] ?? []).compactMap { $0["code"] as? String }
        }
        #expect(Set(codes) == ["expired"])
    }

    @Test("[R59, R63] the text names the kind, the certificate and the remedy") func textNamesKindCertificateAndRemedy()
        async throws
    {
        let outcome = try await bench.probe(
            .tls(LabTLSRecipe(.good)), ["--pin", "cert:sha256:\(try bench.pin().hex)"])
        #expect(outcome.code == 10)
        #expect(outcome.output.contains("SPKI hash of certificate 0"))
        let leaf = PinDigest.sha256(of: try CommandBench.pki.identity(.good).leaf)
        #expect(outcome.output.contains("give --pin cert@leaf:sha256:\(leaf.base64)"))
        #expect(!outcome.output.contains("\u{1b}["), "colour without a terminal")
    }

    @Test func everyLineKeepsToTheSchema() async throws {
        let schema = try Schema.load("probe-1.schema.json")
        let peers: [LabPeer] = [
            .tls(LabTLSRecipe(.good)), .tls(LabTLSRecipe(.expired, asksForCertificate: true)),
            .alert(.handshakeFailure), .dead, .tls(LabTLSRecipe(.rootIncluded, applicationProtocols: ["h2"])),
        ]
        for peer in peers {
            let outcome = try await bench.probe(
                peer, ["--format", "json", "--alpn", "h2", "--pin", "spki:\(try bench.pin().hex)"])
            #expect(!outcome.lines.isEmpty)
            for line in outcome.lines { #expect(schema.violations(in: line) == []) }
        }
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
        let junit = try await bench.probe(peer, ["--format", "junit"])
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
        let sarif = try await bench.probe(peer, ["--format", "sarif"])
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
            let outcome = try await bench.probe(peer, ["--format", "json"])
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
        try await ScratchFolder.withURL { folder in
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
    @Test func whatWasNotReportedIsNoVerdict() async throws {
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
