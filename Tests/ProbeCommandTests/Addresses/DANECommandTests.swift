import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import Testing

/// `--dane`: MX and TLSA records that DNSSEC proves say whom to trust.
@Suite(.bounded) struct DANECommandTests {
    private let signer: LabDNSSigner

    init() throws {
        signer = LabDNSSigner(zone: try DNSName("test"), validity: Date.now - 86_400...Date.now + 86_400)
    }

    /// A zone `test` that is signed, and everything else without signatures. A name that is not listed has no records.
    private struct Names {
        var sets: [String: [[LabDNSRecord]]]
        /// The names whose signatures are damaged.
        var bogus: Set<String> = []

        func behaviour(for name: DNSName, _ signer: LabDNSSigner) -> LabDNSBehaviour {
            if name == signer.zone {
                return .reply(LabDNSMessage(answers: signer.signed([signer.dnskey], owner: name)))
            }
            let isSigned = "\(name)".hasSuffix("test")
            let sets = sets["\(name)"] ?? []
            var answers = isSigned ? sets.flatMap { signer.signed($0, owner: name) } : sets.joined().map(\.self)
            if bogus.contains("\(name)"), let last = answers.indices.last { answers[last].data[20] ^= 1 }
            guard sets.isEmpty, isSigned else { return .reply(LabDNSMessage(answers: answers)) }
            let none = signer.denial(from: name, to: signer.zone, types: [16])
            return .reply(
                LabDNSMessage(authorities: signer.signed([.soa()], owner: signer.zone) + none))
        }
    }

    private static func mx(_ host: String) throws -> [LabDNSRecord] { [.mx(10, try DNSName(host))] }
    private static let addresses: [[LabDNSRecord]] = [[.address(.loopback4)], [.address(.loopback6)]]

    private static func tlsa(_ usage: UInt8, _ selector: UInt8, _ data: [UInt8]) -> [[LabDNSRecord]] {
        [[LabDNSRecord(type: 52, data: [usage, selector, 1] + PinDigest.sha256(of: data).bytes)]]
    }

    /// The record of the server's key, and the one of the authority that it sends.
    private static func key() throws -> [[LabDNSRecord]] {
        tlsa(3, 1, try ScanBench.pki.identity(.good).key.spki)
    }
    private static func authority() throws -> [[LabDNSRecord]] {
        tlsa(2, 0, try ScanBench.pki.identity(.good).chain[1])
    }

    /// Checks the mail domain of the first argument, whose mail host has the certificate of `good.test`.
    private func run(
        _ domain: String, serving identity: LabIdentityName = .good, _ more: [String] = [],
        _ names: @Sendable (UInt16) throws -> Names
    ) async throws -> Probe.Outcome {
        let recipe = LabTLSRecipe(identity, dialogue: LabDialogue(.smtp))
        return try await LabServer.run(.tls(recipe), pki: ScanBench.pki) { server in
            let names = try names(server.endpoint.port)
            return try await LabDNSServer.run(LabDNSZone { names.behaviour(for: $0, signer) }) { dns in
                try await Probe.run(
                    [
                        "check", "--dane", "--dns-server", "\(dns.endpoint)", "--dnssec-anchor",
                        "\(signer.anchor)", "--backend", "openssl", "--timeout", "600",
                    ] + more + ["smtp://\(domain):\(server.endpoint.port)"])
            }
        }
    }

    @Test func theKeyOfTheMailHostIsEnough() async throws {
        let run = try await run("domain.test") { port in
            Names(sets: [
                "domain.test": [try Self.mx("good.test")], "good.test": Self.addresses,
                "_\(port)._tcp.good.test": try Self.key(),
            ])
        }
        // No root store knows the lab.
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        #expect(run.output.contains("trust/dane-records: _") && run.output.contains("trust/dane-matched"))
        #expect(run.output.contains("domain.test MX 10 good.test"))
        #expect(!run.output.contains("name-from-records"), "\(run.output)")
    }

    /// Pins, and all other demands, are judged beside the records; a key that is published has no path to search but the leaf.
    @Test(
        arguments: [
            (["--pin", "spki@leaf:KEY"], 0), (["--pin", "spki:KEY"], 0), (["--pin", "spki@leaf:OTHER"], 10),
            (["--pin-chain", "presented", "--pin", "spki@leaf:KEY"], 0), (["--family", "4"], 0),
            // Nothing listens on the other address.
            (["--all-addresses"], 20), (["--expires-within", "3000d"], 11), (["--min-tls", "1.3"], 0),
        ] as [([String], Int32)])
    func otherDemandsCount(options: [String], code: Int32) async throws {
        let key = PinDigest.sha256(of: try ScanBench.pki.identity(.good).key.spki).hex
        let other = PinDigest.sha256(of: [1]).hex
        let run = try await run(
            "domain.test", options.map { $0.replacing("KEY", with: key).replacing("OTHER", with: other) }
        ) { port in
            Names(sets: [
                "domain.test": [try Self.mx("good.test")], "good.test": Self.addresses,
                "_\(port)._tcp.good.test": try Self.key(),
            ])
        }
        #expect(run.code == code, "\(options): \(run.code) \(run.output)\(run.errors)")
    }

    /// A key that is published needs neither a name nor a time (RFC 7672 section 3.1.1).
    @Test(arguments: [LabIdentityName.expired, .wrongName]) func aKeyAsksForNothingElse(
        identity: LabIdentityName
    ) async throws {
        let run = try await run("domain.test", serving: identity) { port in
            Names(sets: [
                "domain.test": [try Self.mx("good.test")], "good.test": Self.addresses,
                "_\(port)._tcp.good.test": Self.tlsa(3, 1, try ScanBench.pki.identity(identity).key.spki),
            ])
        }
        #expect(run.code == 0, "\(run.output)\(run.errors)")
    }

    /// The authority vouches for the host's name and for the domain's, and for no other.
    @Test(arguments: [("domain.test", "good.test", 0), ("good.test", "mx.test", 0), ("domain.test", "mx.test", 11)])
    func anAuthorityVouchesForNames(domain: String, host: String, code: Int32) async throws {
        let run = try await run(domain) { port in
            var sets = [host: Self.addresses, "_\(port)._tcp.\(host)": try Self.authority()]
            sets[domain] = [try Self.mx(host)]
            return Names(sets: sets)
        }
        #expect(run.code == code, "\(run.output)\(run.errors)")
        #expect(run.output.contains("trust/hostname-mismatch") == (code != 0))
    }

    @Test func theHostOfAnAliasProvesItsOwnName() async throws {
        let run = try await run("domain.test", ["--format", "json"]) { port in
            Names(sets: [
                "domain.test": [try Self.mx("alias.test")], "alias.test": [[.cname(try DNSName("good.test"))]],
                "good.test": Self.addresses, "_\(port)._tcp.good.test": try Self.authority(),
            ])
        }
        #expect(run.code == 0, "\(run.output)\(run.errors)")
        let tls = (run.lines.first?["evidence"] as? [String: Any])?["tls"] as? [String: Any]
        #expect(tls?["sni"] as? String == "good.test")
    }

    /// The name of an alias is proved where a domain has it, and not where an MX record does, nor on the way to a domain's
    /// own name (RFC 7672 section 3.2.2). The certificate is for `good.test`, the records are those of `mx.test`.
    @Test(
        arguments: [
            (["domain.test": "MX good.test", "good.test": "mx.test"], 11),
            (["domain.test": "good.test", "good.test": "MX mx.test"], 0),
            (["domain.test": "good.test", "good.test": "end.test", "end.test": "MX mx.test"], 11),
        ] as [([String: String], Int32)])
    func anAliasIsProvedWhereTheDomainHasIt(records: [String: String], code: Int32) async throws {
        let run = try await run("domain.test") { port in
            var sets = ["mx.test": Self.addresses, "_\(port)._tcp.mx.test": try Self.authority()]
            for (name, data) in records {
                let host = data.split(separator: " ").last.map(String.init) ?? data
                sets[name] = data.hasPrefix("MX ") ? [try Self.mx(host)] : [[.cname(try DNSName(host))]]
            }
            return Names(sets: sets)
        }
        #expect(run.code == code, "\(records): \(run.output)\(run.errors)")
        #expect(run.output.contains("trust/hostname-mismatch") == (code != 0), "\(run.output)")
    }

    /// A record without data is of no use, and takes no other with it.
    @Test func anEmptyRecordIsPassedOver() async throws {
        let run = try await run("domain.test") { port in
            let empty = LabDNSRecord(type: 52, data: [3, 1, 1])
            return Names(sets: [
                "domain.test": [try Self.mx("good.test")], "good.test": Self.addresses,
                "_\(port)._tcp.good.test": [[empty] + (try Self.key().flatMap { $0 })],
            ])
        }
        #expect(run.code == 0, "\(run.output)\(run.errors)")
    }

    @Test func anotherKeyIsRefused() async throws {
        let run = try await run("domain.test") { port in
            Names(sets: [
                "domain.test": [try Self.mx("good.test")], "good.test": Self.addresses,
                "_\(port)._tcp.good.test": Self.tlsa(3, 1, [1]),
            ])
        }
        #expect(run.code == 11 && run.output.contains("trust/unknown-issuer"), "\(run.output)\(run.errors)")
    }

    /// Everything that is not proved, published or usable fails by its own code, whatever root stores make of the chain.
    @Test(arguments: [
        ("plain.example", "dane-insecure", "policy-failed"), ("outside.test", "dane-insecure", "policy-failed"),
        ("none.test", "dane-absent", "policy-failed"), ("web.test", "dane-unusable", "policy-failed"),
        ("forged.test", "dane-lookup-failed", "dns-indeterminate"),
    ])
    func lessThanDANEFails(domain: String, code: String, outcome: String) async throws {
        let run = try await run(domain, ["--format", "json"]) { port in
            Names(
                sets: [
                    "plain.example": [try Self.mx("good.test")], "good.test": Self.addresses,
                    "_\(port)._tcp.good.test": try Self.key(), "outside.test": [try Self.mx("mx.example")],
                    "mx.example": Self.addresses, "_\(port)._tcp.mx.example": try Self.key(),
                    "none.test": [try Self.mx("bare.test")], "bare.test": Self.addresses,
                    "web.test": [try Self.mx("pkix.test")], "pkix.test": Self.addresses,
                    "_\(port)._tcp.pkix.test": Self.tlsa(1, 1, try ScanBench.pki.identity(.good).key.spki),
                    "forged.test": [try Self.mx("broken.test")], "broken.test": Self.addresses,
                    "_\(port)._tcp.broken.test": try Self.key(),
                ], bogus: ["_\(port)._tcp.broken.test"])
        }
        let line = try #require(run.lines.first, "\(run.errors)")
        #expect(line["outcome"] as? String == outcome && run.code == (outcome == "policy-failed" ? 17 : 21))
        let findings = try #require(line["findings"] as? [[String: Any]])
        let errors = findings.filter { $0["severity"] as? String == "error" }.map { $0["code"] as? String }
        #expect(errors == [code], "\(run.output)")
        // Nothing rests on root stores, so none is asked, and none can be given.
        let trust = (line["evidence"] as? [String: Any])?["trust"] as? [String: Any]
        #expect(trust?["reference"] is NSNull, "\(run.output)")
        #expect(!run.output.contains("--ca") && !run.output.contains("name-from-records"), "\(run.output)")
    }

    @Test func forgedMailHostsAreNotDialled() async throws {
        let run = try await run("domain.test") { port in
            Names(
                sets: [
                    "domain.test": [try Self.mx("good.test")], "good.test": Self.addresses,
                    "_\(port)._tcp.good.test": try Self.key(),
                ], bogus: ["domain.test"])
        }
        #expect(run.code == 20 && run.output.contains("connect/name-lookup-failed"), "\(run.output)\(run.errors)")
        #expect(run.output.contains("bogus"), "\(run.output)")
    }

    @Test func aDomainWithoutMailIsRefused() async throws {
        let run = try await run("domain.test") { _ in
            Names(sets: ["domain.test": [[.mx(0, try #require(DNSName(labels: [])))]]])
        }
        #expect(run.code == 20 && run.output.contains("connect/service-not-offered"), "\(run.output)\(run.errors)")
    }

    @Test(arguments: [
        (["smtp://good.test", "--connect", "127.0.0.1:1"], "--connect"), (["good.test"], "--dane asks for the MX"),
        (["smtp://good.test:587"], "--dane asks for the MX"), (["smtp://192.0.2.1"], "--dane asks for the MX"),
        (["smtp://good.test", "--trust", "native"], "--trust"), (["smtp://good.test", "--ca", "x.pem"], "--ca"),
        (["smtp://good.test", "--dns-server", "tls://dns.test"], "--dns-server tls://dns.test"),
        (["--profile", "x.yaml"], "--profile"), (["smtp://good.test", "--resolver", "ldns"], "--resolver"),
    ])
    func othersAreRefused(arguments: [String], words: String) async throws {
        let run = try await Probe.run(["check", "--dane"] + arguments)
        #expect(run.code == 64 && run.errors.contains("--dane") && run.errors.contains(words), "\(run.errors)")
    }
}
