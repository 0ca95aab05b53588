import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import Testing

/// DNS servers over TLS on the command line: who asks them, with which pins, and what is refused.
@Suite(.bounded) struct TLSServerCommandTests {
    private func withServer(
        _ body: (_ arguments: [String], _ pin: String, _ other: String) async throws -> Void
    ) async throws {
        let pki = LabPKI(epoch: .now)
        let ca = FileManager.default.temporaryDirectory.appending(path: "probe-dot-\(UUID()).pem").path
        try pki.rootPEM().write(toFile: ca, atomically: true, encoding: .utf8)
        defer { try? FileManager.default.removeItem(atPath: ca) }
        func pin(_ name: LabIdentityName) throws -> String {
            let leaf = try pki.identity(name).leaf
            let key = try CertificateDigests(certificate: leaf.span, digester: SwiftCryptoDigester()).spki
            return "spki:sha256:\(key.base64)"
        }
        try await LabDoTServer.run(LabDNSZone(.answer(.txt("dc,florida"))), pki: pki) { server in
            try await body(
                [
                    "--dns-server", "tls://good.test", "--dns-connect", "\(server.endpoint)", "--dns-ca", ca,
                    "--timeout", "60",
                ], try pin(.good), try pin(.unknownIssuer))
        }
    }

    private func models(_ arguments: [String]) async throws -> [String?: String] {
        let outcome = try await Probe.run(
            ["models", "models.test", "--model", "florida", "--format", "json"] + arguments)
        let pairs = outcome.lines.map { ($0["resolver"] as? String, $0["outcome"] as? String ?? "") }
        return Dictionary(pairs) { _, last in last }
    }

    @Test func allAreThoseThatCan() async throws {
        try await withServer { server, pin, other in
            let cases: [(arguments: [String], outcomes: [String?: String])] = [
                ([], ["ldns": "pass", "cares": "pass"]),
                (["--dns-pin", pin], ["ldns": "pass", "cares": "pass"]),
                (["--dns-pin", other], ["ldns": "dns-indeterminate", "cares": "dns-indeterminate"]),
                (["--dns-pin", other, "--dns-pin", pin, "--resolver", "ldns"], ["ldns": "pass"]),
                (["--resolver", "unbound"], ["unbound": "unsupported"]),
                (["--resolver", "doh"], ["doh": "unsupported"]),
            ]
            for (arguments, outcomes) in cases {
                let found = try await models(server + arguments)
                #expect(found == outcomes, "\(arguments)")
            }
        }
    }

    @Test(
        arguments: [
            (["--dns-server", "tls://dns.test/q"], "more than a name and a port"),
            (["--dns-server", "tls://"], "not a host name"),
            (["--dns-server", "192.0.2.1", "--dns-pin", "PIN"], "--dns-pin is given, and the key of"),
            (["--dns-pin", "PIN"], "--dns-pin is of no use without a tls server"),
            (["--dns-server", "tls://dns.test", "--dns-pin", "cert:sha256:x"], "--dns-pin"),
            (
                ["--dns-server", "tls://a.test", "--dns-server", "https://b.test/q", "--dns-connect", "192.0.2.1:1"],
                "which of 2 https or tls servers"
            ),
        ])
    func whatDoesNotApplyIsRefused(arguments: [String], words: String) async throws {
        let pin = "spki:sha256:\(PinDigest.sha256(of: [1]).base64)"
        let outcome = try await Probe.run(["models", "models.test"] + arguments.map { $0 == "PIN" ? pin : $0 })
        #expect(outcome.code == 64)
        #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }

    @Test func aProfilePinsTheirKeys() async throws {
        try await withServer { server, pin, other in
            let path = FileManager.default.temporaryDirectory.appending(path: "probe-dot-\(UUID()).yaml").path
            defer { try? FileManager.default.removeItem(atPath: path) }
            func check(_ servers: String, _ pin: String, _ arguments: [String]) async throws -> Probe.Outcome {
                let text = """
                    profile: 1
                    models:
                      - {model: florida, hosts: [models.test], servers: \(servers), serverPins: ["\(pin)"]}
                    """
                try text.write(toFile: path, atomically: true, encoding: .utf8)
                return try await Probe.run(
                    ["check", "--profile", path, "--format", "json", "--resolver", "ldns"] + arguments)
            }
            let named = #"["tls://good.test"]"#
            let matching = try await check(named, pin, Array(server.dropFirst(2)))
            #expect(matching.code == 0, "\(matching.output)\(matching.errors)")
            let mismatched = try await check(named, other, Array(server.dropFirst(2)))
            #expect(mismatched.code == 21 && mismatched.output.contains("server-pin-mismatch"), "\(mismatched.output)")
            // The pins go along to servers of the options, which can't loosen them.
            let redirected = try await check(#"["tls://gone.test"]"#, other, server)
            #expect(redirected.code == 21 && redirected.output.contains("server-pin-mismatch"), "\(redirected.output)")
            for (arguments, words) in [
                (["--dns-server", "192.0.2.1"], "--dns-server 192.0.2.1 can't be compared with 'serverPins'"),
                (["--dns-server", "tls://good.test", "--dns-pin", pin], "--dns-pin is given beside 'serverPins'"),
            ] {
                let refused = try await check(named, pin, arguments)
                #expect(refused.code == 64 && refused.errors.contains(words), "\(refused.errors)")
            }
            for servers in ["[]", "[192.0.2.1]", #"["tls://a.test", "https://b.test/q"]"#] {
                let refused = try await check(servers, pin, [])
                #expect(
                    refused.code == 65 && refused.errors.contains("serverPins' is of no use with"), "\(refused.errors)")
            }
        }
    }

    @Test func aProfileNamesThem() async throws {
        try await withServer { server, _, _ in
            let path = FileManager.default.temporaryDirectory.appending(path: "probe-dot-\(UUID()).yaml").path
            let text = """
                profile: 1
                models:
                  - {model: florida, hosts: [models.test], servers: ["tls://good.test"]}
                """
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            defer { try? FileManager.default.removeItem(atPath: path) }
            let outcome = try await Probe.run(
                ["check", "--profile", path, "--format", "json", "--resolver", "ldns"] + server.dropFirst(2))
            #expect(outcome.lines.map { $0["outcome"] as? String } == ["pass"], "\(outcome.errors)")
        }
    }
}
