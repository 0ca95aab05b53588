import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// `--follow`: the records of a name lead to the server, and are shown.
@Suite(.bounded) struct FollowCommandTests {
    /// Runs a command whose records lead to a server with the certificate of `good.test`.
    ///
    /// - Parameters:
    ///   - known: the protocol that starts TLS on the server.
    ///   - records: returns the records of each name, given the server's port.
    private func run(
        _ arguments: [String], starting known: StartTLS? = nil,
        _ records: @Sendable (UInt16) throws -> [String: [LabDNSRecord]]
    ) async throws -> Probe.Outcome {
        try await ScanBench.run { bench in
            let recipe = LabTLSRecipe(.good, dialogue: known.map { LabDialogue($0) })
            return try await LabServer.run(.tls(recipe), pki: ScanBench.pki) { server in
                var zone: [DNSName: LabDNSBehaviour] = [:]
                for (name, answers) in try records(server.endpoint.port) {
                    zone[try DNSName(name)] = .reply(LabDNSMessage(answers: answers))
                }
                let nothing = LabDNSBehaviour.reply(LabDNSMessage())
                return try await LabDNSServer.run(LabDNSZone(zone, otherwise: nothing)) { dns in
                    let anchors = ["survey", "fleet"].contains(arguments[0]) ? [] : ["--ca", bench.path("ca.pem")]
                    return try await Probe.run(
                        arguments + anchors
                            + [
                                "--follow", "--dns-server", "\(dns.endpoint)", "--backend", "openssl", "--timeout",
                                "600",
                            ])
                }
            }
        }
    }

    private static func bindings(_ port: UInt16) throws -> [String: [LabDNSRecord]] {
        let (high, low) = (UInt8(port >> 8), UInt8(port & 0xff))
        return [
            "good.test": [.https(1, try DNSName("svc.test"), [(1, [2] + Array("h2".utf8)), (3, [high, low])])],
            "svc.test": [.address(.loopback4)],
        ]
    }

    private func evidence(_ line: [String: Any]?) -> [String: Any] { line?["evidence"] as? [String: Any] ?? [:] }

    @Test func theServerOfABindingProvesTheHost() async throws {
        let schema = try Schema.load("probe-1.schema.json")
        let run = try await run(["check", "--format", "json", "good.test"], Self.bindings)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        let line = try #require(run.lines.first)
        #expect(schema.violations(in: line) == [])
        #expect(line["target"] as? String == "good.test:443")
        let tls = evidence(line)["tls"] as? [String: Any]
        #expect(tls?["sni"] as? String == "good.test")
        let followed = try #require(evidence(line)["followed"] as? [[String: Any]])
        #expect(followed.map { $0["name"] as? String } == ["good.test"])
        let record = try #require((followed.first?["records"] as? [[String: Any]])?.first)
        #expect(record["target"] as? String == "svc.test" && record["alpn"] as? [String] == ["h2"])
        let port = try #require(record["port"] as? Int)
        #expect(evidence(line)["dialled"] as? String == "127.0.0.1:\(port)")
    }

    @Test func textHasTheRecordsOnOneLine() async throws {
        let run = try await run(["check", "good.test"], Self.bindings)
        #expect(run.code == 0 && run.output.contains("connect/records-followed: good.test HTTPS 1 svc.test port="))
        let compared = try await self.run(["compare", "good.test"], Self.bindings)
        #expect(compared.code == 0 && compared.output.contains("followed: good.test HTTPS 1 svc.test"))
    }

    @Test(arguments: ["compare", "scan"]) func othersFollowToo(command: String) async throws {
        let run = try await run([command, "--format", "json", "good.test"], Self.bindings)
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        let line = try #require(run.lines.first)
        let followed = (line["followed"] ?? evidence(line)["followed"]) as? [[String: Any]]
        #expect(followed?.count == 1)
        let schema = try Schema.load(command == "scan" ? "probe-1.schema.json" : "probe-compare-1.schema.json")
        #expect(schema.violations(in: line) == [])
        if command == "scan" {
            let place = line["scan"] as? [String: Any]
            #expect((place?["dialled"] as? String)?.hasPrefix("127.0.0.1:") == true)
            let manifest = try #require(run.lines.last)
            let options = manifest["options"] as? [String: Any]
            #expect(options?["follow"] as? Bool == true)
            let violations = try Schema.load("probe-scan-1.schema.json").violations(in: manifest)
            #expect(violations == [])
        }
    }

    @Test func aWatchFollowsToo() async throws {
        let watched = try await run(["watch", "--rounds", "1", "--format", "json", "good.test"], Self.bindings)
        #expect(watched.code == 0, "\(watched.output)\(watched.errors)")
    }

    /// Servers of SRV records, with and without TLS from the first byte: the name stays the domain's.
    @Test(arguments: [("good.test:993", "_imaps._tcp", nil), ("imap://good.test", "_imap._tcp", StartTLS.imap)])
    func theServerOfAServiceProvesTheDomain(target: String, label: String, known: StartTLS?) async throws {
        let run = try await run(["check", "--format", "json", target], starting: known) { port in
            [
                "\(label).good.test": [
                    .srv(1, port: 1, try DNSName("gone.test")), .srv(2, port: port, try DNSName("svc.test")),
                ],
                "svc.test": [.address(.loopback4)],
            ]
        }
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        let tls = evidence(run.lines.first)["tls"] as? [String: Any]
        #expect(tls?["sni"] as? String == "good.test")
    }

    /// The name of a mail host is what its certificate proves, and the report is about the domain.
    @Test func mailHostsProveTheirOwnName() async throws {
        let run = try await run(["check", "--format", "json", "smtp://domain.test:2525"], starting: .smtp) { _ in
            ["domain.test": [.mx(10, try DNSName("good.test"))], "good.test": [.address(.loopback4)]]
        }
        // MX records have no port, and nothing listens on this one.
        let line = try #require(run.lines.first)
        #expect(line["target"] as? String == "smtp://domain.test:2525")
        #expect(evidence(line)["dialled"] as? String == "127.0.0.1:2525")
        #expect(run.output.contains("name-from-records"))
    }

    @Test func aFamilyThatTheServerLacksIsNamed() async throws {
        let run = try await run(["check", "--family", "6", "good.test"], Self.bindings)
        #expect(run.code == 20 && run.output.contains("connect/no-address-of-family"), "\(run.output)\(run.errors)")
        #expect(run.output.contains("svc.test has no IPv6 address") && run.output.contains("over IPv6"))
    }

    /// Every server has a verdict, and each of their addresses.
    @Test func allAddressesAreThoseOfAllServers() async throws {
        let run = try await run(["check", "--all-addresses", "--format", "json", "good.test:993"]) { port in
            [
                "_imaps._tcp.good.test": [
                    .srv(1, port: port, try DNSName("one.test")), .srv(2, port: port, try DNSName("two.test")),
                ],
                "one.test": [.address(.loopback4)],
                "two.test": [.address(try #require(IPAddress("127.0.0.2"))), .address(.loopback6)],
            ]
        }
        let places = run.lines.map { evidence($0)["dialled"] as? String ?? "" }
        #expect(places.map { $0.split(separator: ":").first.map(String.init) } == ["127.0.0.1", "127.0.0.2", "["])
        #expect(run.lines.map { $0["outcome"] as? String } == ["pass", "unreachable", "unreachable"])
    }

    /// Servers at one address are apart by their ports.
    @Test func aPortOfRecordsIsShown() async throws {
        let run = try await run(["check", "--all-addresses", "good.test:993"]) { port in
            [
                "_imaps._tcp.good.test": [
                    .srv(1, port: port, try DNSName("svc.test")), .srv(2, port: 1, try DNSName("svc.test")),
                ],
                "svc.test": [.address(.loopback4)],
            ]
        }
        #expect(run.output.contains(#/openssl at 127\.0\.0\.1:\d+ +pass/#), "\(run.output)\(run.errors)")
        #expect(run.output.contains(#/openssl at 127\.0\.0\.1:1 +unreachable/#), "\(run.output)")
    }

    @Test func aServiceThatIsNotOfferedIsUnreachable() async throws {
        let run = try await run(["check", "imap://good.test"]) { _ in
            ["_imap._tcp.good.test": [.srv(0, port: 0, try #require(DNSName(labels: [])))]]
        }
        #expect(run.code == 20 && run.output.contains("connect/service-not-offered"), "\(run.output)")
        #expect(run.output.contains("leave --follow out"))
    }

    @Test(arguments: [
        (["--connect", "127.0.0.1:1", "good.test"], "--connect"), (["192.0.2.1"], "192.0.2.1 is an address"),
        (["postgres://good.test"], "postgres has none"),
        (["--dns-server", "tls://dns.test", "good.test"], "--dns-server tls://dns.test"),
        (["--resolver", "ldns", "good.test"], "--resolver"), (["--dnssec", "require", "good.test"], "--dnssec"),
    ])
    func othersAreRefused(arguments: [String], words: String) async throws {
        let run = try await Probe.run(["check", "--follow"] + arguments)
        #expect(run.code == 64 && run.errors.contains(words), "\(run.errors)")
    }

    /// The system's resolver was not asked.
    @Test func theFixNamesTheServersThatWereAsked() async throws {
        let run = try await LabDNSServer.run(LabDNSZone(.reply(LabDNSMessage(responseCode: .refused)))) { server in
            try await Probe.run([
                "check", "--follow", "--backend", "openssl", "--dns-server", "\(server.endpoint)", "good.test",
            ])
        }
        #expect(run.code == 20 && run.output.contains("connect/name-lookup-failed"), "\(run.output)")
        #expect(
            run.output.contains("the DNS servers that were asked") && run.output.contains("--follow"), "\(run.output)")
        #expect(!run.output.contains("resolver"), "\(run.output)")
    }

    /// Nothing is asked without the option: the name is left to the system, which does not know it.
    @Test func withoutItNothingIsAsked() async throws {
        let run = try await Probe.run(["check", "--format", "json", "--backend", "openssl", "good.test"])
        #expect(run.code == 20 && (evidence(run.lines.first)["followed"] as? [Any])?.isEmpty == true)
    }
}
