import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeProfiles
import ProbeTestSupport
import ProbeTrust
import Testing

/// `--chain` beside a profile: check, lint and fleet assign the files to the same services.
@Suite(.bounded) struct SuppliedChainTests {
    private static let pki = LabPKI(epoch: .now)

    /// A folder with the lab's root, the good chain, and a profile whose service on port 8443 pins another key.
    private func scene(_ body: (String) async throws -> Void) async throws {
        try await ScratchFolder.with { folder in
            try Self.pki.rootPEM().write(toFile: "\(folder)/ca.pem", atomically: true, encoding: .utf8)
            try Self.pki.identity(.good).chainPEM.write(toFile: "\(folder)/good.pem", atomically: true, encoding: .utf8)
            let pin = PinDigest.sha256(of: try Self.pki.identity(.good).key.spki).hex
            let other = PinDigest.sha256(of: [1]).hex
            try """
            profile: 1
            anchors: [ca.pem]
            unlistedHost: system
            services:
              web: {url: "https://good.test:8443", pins: [{anyOf: ["spki:\(other)"]}]}
              mail: {url: "smtp://good.test", pins: [{anyOf: ["spki:\(pin)"]}]}
            """.write(toFile: "\(folder)/app.yaml", atomically: true, encoding: .utf8)
            try "fleet: 1\nclients: {openssl-3.0: 100}\n".write(
                toFile: "\(folder)/fleet.yaml", atomically: true, encoding: .utf8)
            try """
            clients:
              terminal:
                {released: 2020-01-01, library: Terminal, roots: ca.pem, sources: {released: us, library: us, roots: us}}
            """.write(toFile: "\(folder)/clients.yaml", atomically: true, encoding: .utf8)
            try await body(folder)
        }
    }

    @Test(
        "a subject means a label, else each service of the host, of which a port or a scheme chooses",
        arguments: [
            ("good.test=", [], 10, ["good.test:8443", "smtp://good.test:25"]),
            ("", [], 10, ["good.test:8443", "smtp://good.test:25"]),
            ("", ["good.test"], 10, ["good.test:8443", "smtp://good.test:25"]),
            ("good.test:8443=", [], 10, ["good.test:8443"]), ("web=", [], 10, ["good.test:8443"]),
            ("", ["good.test:8443"], 10, ["good.test:8443"]), ("mail=", [], 0, ["smtp://good.test:25"]),
            ("smtp://good.test=", [], 0, ["smtp://good.test:25"]),
            ("good.test:443=", [], 0, ["good.test:443"]), ("https://good.test=", [], 0, ["good.test:443"]),
        ] as [(String, [String], Int32, [String])])
    func services(subject: String, words: [String], code: Int32, targets: [String]) async throws {
        try await scene { folder in
            let chain = ["--chain", "\(subject)\(folder)/good.pem"]
            let check = try await Probe.run(
                ["check", "--profile", "\(folder)/app.yaml", "--backend", "openssl", "--format", "json"] + chain + words
            )
            #expect(check.code == code, "\(check.output)\(check.errors)")
            #expect(check.lines.compactMap { $0["target"] as? String } == targets)
            guard words.isEmpty else { return }
            for command in ["lint", "forecast"] {
                let served = try await Probe.run(["profile", command, "\(folder)/app.yaml"] + chain)
                #expect((served.code == 10) == (code == 10), "\(command) \(served.output)\(served.errors)")
            }
        }
    }

    @Test(
        "the file that is more plainly a service's counts, and two that are alike are refused",
        arguments: [
            (["", "web="], 10), (["good.test=", "web="], 10), (["web=", ""], 10),
            (["web=", "web=", "mail="], 64), (["good.test=", "good.test="], 64),
        ] as [([String], Int32)])
    func ranks(subjects: [String], code: Int32) async throws {
        try await scene { folder in
            let chains = subjects.flatMap { ["--chain", "\($0)\(folder)/good.pem"] }
            let outcome = try await Probe.run(
                ["check", "--profile", "\(folder)/app.yaml", "--backend", "openssl", "--format", "json"] + chains)
            #expect(outcome.code == code, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.lines.count == (code == 64 ? 0 : 2))
            #expect(outcome.errors.contains("give one for each service") == (code == 64), "\(outcome.errors)")
        }
    }

    @Test("clients judge the services that a file is for") func clients() async throws {
        try await scene { folder in
            let profile = ["--profile", "\(folder)/app.yaml", "--format", "json"]
            for (subject, code, target) in [
                ("good.test:8443", 10, "good.test:8443"), ("web", 10, "good.test:8443"),
                ("mail", 0, "smtp://good.test:25"),
            ] as [(String, Int32, String)] {
                let chain = ["--chain", "\(subject)=\(folder)/good.pem"]
                let check = try await Probe.run(["check", "--client", "\(folder)/clients.yaml"] + profile + chain)
                #expect(check.code == code, "\(check.output)\(check.errors)")
                #expect(check.lines.map { $0["target"] as? String } == [target])
                let fleet = try await Probe.run(["fleet", "--fleet", "\(folder)/fleet.yaml"] + profile + chain)
                #expect(fleet.lines.map { $0["target"] as? String } == [target], "\(fleet.output)\(fleet.errors)")
            }
        }
    }

    @Test(
        "a file alone is for hosts of a profile without services, by check, lint and forecast alike",
        arguments: [
            (["a.test", "b.test"], ["a.test", "b.test"], 0, ["a.test:443", "b.test:443"]),
            (["a.test", "c.test"], ["a.test", "b.test"], 0, ["a.test:443"]),
            (["*.a.test"], ["www.a.test", "b.test"], 0, ["www.a.test:443"]),
            (["a.test"], ["b.test", "c.test"], 11, ["a.test:443"]),
            (["a.test", "b.test"], ["c.test", "d.test"], 64, []),
        ] as [([String], [String], Int32, [String])])
    func hostsAlone(hosts: [String], names: [String], code: Int32, targets: [String]) async throws {
        try await scene { folder in
            let leaf = try Self.pki.issue(
                .leaf("unassigned") {
                    $0.commonName = names[0]
                    $0.dnsNames = names
                    $0.key = LabKeyID(.p256, "unassigned")
                })
            let chain = [leaf, try Self.pki.certificate(of: .intermediate)]
            try chain.map(CertificateFile.pem).joined().write(
                toFile: "\(folder)/chain.pem", atomically: true, encoding: .utf8)
            let pin = PinDigest.sha256(of: try Self.pki.key(LabKeyID(.p256, "unassigned")).spki).hex
            let rules = hosts.map {
                "  - {host: \"\($0)\", match: okhttp, pins: [{position: any, anyOf: [\"spki:\(pin)\"]}]}\n"
            }
            let file = "\(folder)/hosts.yaml"
            try "profile: 1\nanchors: [ca.pem]\nhosts:\n\(rules.joined())".write(
                toFile: file, atomically: true, encoding: .utf8)
            let arguments = ["--chain", "\(folder)/chain.pem"]
            let check = try await Probe.run(
                ["check", "--profile", file, "--backend", "openssl", "--format", "json"] + arguments)
            #expect(check.code == code, "\(check.output)\(check.errors)")
            #expect(check.lines.compactMap { $0["target"] as? String } == targets)
            let forecast = try await Probe.run(["profile", "forecast", file] + arguments)
            #expect(forecast.code == code, "\(forecast.output)\(forecast.errors)")
            let lint = try await Probe.run(["profile", "lint", file] + arguments)
            #expect((lint.code == 64) == (code == 64), "\(lint.output)\(lint.errors)")
            for outcome in [check, forecast, lint] where outcome.code == 64 {
                #expect(outcome.errors.contains("write --chain HOST=\(folder)/chain.pem"), "\(outcome.errors)")
            }
            let named = try await Probe.run(
                ["check", "--ca", "\(folder)/ca.pem", "--backend", "openssl", "--format", "json"] + arguments
                    + names)
            #expect(named.code == 0, "it is for each target that its leaf names: \(named.output)\(named.errors)")
        }
    }

    @Test("[R72] what a file alone is not for is a warning, so that a green result is not taken for it")
    func notJudged() async throws {
        try await scene { folder in
            let chain = "\(folder)/good.pem"
            try """
            profile: 1
            anchors: [ca.pem]
            unlistedHost: system
            services: {api: good.test, ws: "wss://other.test"}
            """.write(toFile: "\(folder)/two.yaml", atomically: true, encoding: .utf8)
            let pin = PinDigest.sha256(of: try Self.pki.identity(.good).key.spki).base64
            try "good.test sha256/\(pin)\nother.test sha256/\(pin)\n".write(
                toFile: "\(folder)/pins.txt", atomically: true, encoding: .utf8)
            for (file, fix) in [("two.yaml", "--chain ws=FILE"), ("pins.txt", "--chain other.test=FILE")] {
                func check(_ arguments: [String]) async throws -> (code: Int32, findings: [[String]]) {
                    let outcome = try await Probe.run(
                        [
                            "check", "--profile", "\(folder)/\(file)", "--ca", "\(folder)/ca.pem", "--backend",
                            "openssl", "--format", "json",
                        ] + arguments)
                    let findings = outcome.lines.flatMap { $0["findings"] as? [[String: Any]] ?? [] }
                        .filter { $0["code"] as? String == "service-not-judged" }
                    return (
                        outcome.code,
                        findings.map { finding in ["message", "fix"].compactMap { finding[$0] as? String } }
                    )
                }
                let alone = try await check(["--chain", chain])
                #expect(alone.code == 0)
                #expect(
                    alone.findings == [
                        [
                            "no --chain is for other.test:443: no file without a host has a leaf with its name",
                            "issue the certificate for it too, or give \(fix)",
                        ]
                    ])
                #expect(try await check(["--chain", chain, "--fail-on-warning"]).code == 17)
                // What was asked for by name is all that was asked for.
                for arguments in [["--chain", chain, "good.test"], ["--chain", "good.test=\(chain)"]] {
                    #expect(try await check(arguments).findings.isEmpty, "\(arguments)")
                }
                let lint = try await Probe.run([
                    "profile", "lint", "\(folder)/\(file)", "--ca", "\(folder)/ca.pem", "--chain", chain, "--format",
                    "json",
                ])
                #expect(
                    lint.lines.contains { line in
                        line["code"] as? String == "service-not-judged" && line["severity"] as? String == "warning"
                            && (line["fix"] as? String)?.hasSuffix(fix) == true
                    }, "\(lint.output)\(lint.errors)")
            }
        }
    }

    /// As for a server that presents it. Without a list neither warns.
    @Test func aWildcardOverAPublicSuffixIsWarnedOf() async throws {
        try await ScratchFolder.with { folder in
            let leaf = try Self.pki.issue(
                .leaf("suffix") {
                    $0.issuer = .root
                    $0.dnsNames = ["*.co.uk", "good.test"]
                })
            try Self.pki.rootPEM().write(toFile: "\(folder)/ca.pem", atomically: true, encoding: .utf8)
            try CertificateFile.pem(leaf).write(toFile: "\(folder)/uk.pem", atomically: true, encoding: .utf8)
            let isListed = PublicSuffixList.system()?.isRegistry("co.uk") ?? false
            let arguments = ["--ca", "\(folder)/ca.pem", "--backend", "openssl", "--fail-on-warning"]
            let outcome = try await Probe.run(["check", "--chain", "\(folder)/uk.pem", "shop.co.uk"] + arguments)
            #expect(outcome.code == (isListed ? 17 : 0), "\(outcome.output)\(outcome.errors)")
            #expect(outcome.output.contains("wildcard-public-suffix") == isListed)
        }
    }

    /// The name of a rule is not a server's, and what is exempt or not checked has nothing to be judged by.
    @Test func aRuleIsJudgedAtAnyOfItsNames() async throws {
        try await scene { folder in
            let pin = PinDigest.sha256(of: try Self.pki.identity(.good).key.spki).base64
            let pins = "pins: [{position: any, anyOf: [\"spki:\(pin)\"]}]"
            let leaf = try Self.pki.issue(
                .leaf("good") {
                    $0.commonName = "good.test"
                    $0.dnsNames = ["good.test"]
                })
            try [leaf, try Self.pki.certificate(of: .intermediate)].map(CertificateFile.pem).joined().write(
                toFile: "\(folder)/one.pem", atomically: true, encoding: .utf8)
            for text in [
                "unlistedHost: system\nhosts: [{host: test, match: android, includeSubdomains: true, \(pins)}]",
                "unlistedHost: system\nhosts: [{host: good.test, match: android, \(pins)}, {host: free.test, match: android, pins: []}]",
                "unlistedHost: skip\nservices: {api: {url: good.test, \(pins)}, free: free.test}",
            ] {
                try "profile: 1\nanchors: [ca.pem]\n\(text)".write(
                    toFile: "\(folder)/rule.yaml", atomically: true, encoding: .utf8)
                for command in [
                    ["check", "--backend", "openssl", "--profile"], ["profile", "lint"],
                ] {
                    let outcome = try await Probe.run(
                        command + ["\(folder)/rule.yaml", "--chain", "\(folder)/one.pem", "--format", "json"])
                    #expect(!outcome.output.contains("service-not-judged"), "\(outcome.output)")
                    #expect(outcome.code == 0 || command[0] == "profile", "\(text) \(outcome.output)\(outcome.errors)")
                }
            }
        }
    }

    @Test("a chain needs no dialogue that starts TLS", arguments: ["smtp://good.test", "postgres://good.test:5432"])
    func startTLS(target: String) async throws {
        try await scene { folder in
            let arguments = ["check", "--chain", "\(folder)/good.pem", "--ca", "\(folder)/ca.pem", "--format", "json"]
            let outcome = try await Probe.run(arguments + [target])
            #expect(outcome.code == 0, "\(outcome.output)\(outcome.errors)")
            #expect(outcome.lines.count >= 4)
        }
    }

    @Test(
        "a record of a mail host is for the protocol on its port, or for the one that is named",
        arguments: [
            (25, "", ["smtp://good.test"]), (25, "", ["good.test:25"]), (25, "smtp://good.test=", []),
            (25, "good.test:25=", []), (2525, "", ["smtp://good.test:2525"]), (2525, "smtp://good.test:2525=", []),
        ] as [(Int, String, [String])])
    func mailRecords(port: Int, subject: String, words: [String]) async throws {
        try await scene { folder in
            let pins = [PinDigest.sha256(of: try Self.pki.identity(.good).key.spki).hex, PinDigest.sha256(of: [1]).hex]
            for (pin, code) in zip(pins, [0, 10] as [Int32]) {
                let file = "\(folder)/mx.zone"
                try "_\(port)._tcp.good.test. IN TLSA 3 1 1 \(pin)\n".write(
                    toFile: file, atomically: true, encoding: .utf8)
                let outcome = try await Probe.run(
                    [
                        "check", "--profile", file, "--ca", "\(folder)/ca.pem", "--backend", "openssl", "--chain",
                        "\(subject)\(folder)/good.pem",
                    ] + words)
                #expect(outcome.code == code, "\(outcome.output)\(outcome.errors)")
            }
        }
    }

    @Test("a profile has no key for revocation lists, and no message sends anybody to look for one")
    func revocationLists() async throws {
        try await scene { folder in
            let outcome = try await Probe.run(["check", "--profile", "\(folder)/app.yaml", "--crl", "\(folder)/a.crl"])
            #expect(outcome.code == 64)
            #expect(
                outcome.errors == "probe: --crl and --profile are given; leave one of the two out\n",
                "\(outcome.errors)")
        }
    }

    @Test(
        "a URL ends at the last =, and has to be a target's",
        arguments: [
            ("smtp://good.test=", 0, "smtp://good.test:25"), ("https://good.test/?a=b=", 0, "good.test:443"),
            ("http://good.test=", 64, "has the scheme 'http'"),
        ] as [(String, Int32, String)])
    func urls(subject: String, code: Int32, words: String) async throws {
        try await scene { folder in
            let outcome = try await Probe.run(
                ["check", "--chain", "\(subject)\(folder)/good.pem", "--ca", "\(folder)/ca.pem"])
            #expect(outcome.code == code, "\(outcome.output)\(outcome.errors)")
            #expect((outcome.output + outcome.errors).contains(words), "\(outcome.output)\(outcome.errors)")
        }
    }
}
