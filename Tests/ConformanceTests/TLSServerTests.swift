import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeNet
import ProbePins
import ProbePlatform
import ProbeRun
import ProbeTestSupport
import ResolverLDNS
import ResolverUnbound
import Testing
import TransportOpenSSL

/// DNS servers over TLS beyond the suite: pins on them, and who can compare those.
@Suite(.bounded) struct TLSServerTests {
    private static let pki = LabPKI(epoch: .now)
    private static let zone = LabDNSZone(.answer(.txt("dc,florida")))
    private static let able = ResolverUnderTest.all.filter { $0.resolver.capabilities.contains(.serverChain) }

    private func check(_ server: LabDoTServer, pins: Set<PinDigest>) throws -> ModelCheck {
        ModelCheck(
            model: try ModelName("florida"), hosts: [try DNSName("models.test")], servers: [],
            tlsServers: [try server.server()], serverPins: pins)
    }

    private func key(_ name: LabIdentityName) throws -> PinDigest {
        let leaf = try Self.pki.identity(name).leaf
        return try CertificateDigests(certificate: leaf.span, digester: SwiftCryptoDigester()).spki
    }

    @Test(arguments: able) func theKeyHasToBeAPinnedOne(_ resolver: ResolverUnderTest) async throws {
        let (right, wrong) = (try key(.good), try key(.unknownIssuer))
        try await LabDoTServer.run(Self.zone, pki: Self.pki) { server in
            for (pins, outcome, code) in [
                ([right], Outcome.pass, "model-listed"), ([wrong, right], .pass, "model-listed"),
                ([wrong], .dnsIndeterminate, "server-pin-mismatch"),
            ] as [(Set<PinDigest>, Outcome, String)] {
                let result = try #require(
                    await Prober().probe(
                        try check(server, pins: pins), subject: "models.test", through: [resolver.resolver],
                        timeout: .seconds(60)
                    ).first)
                #expect(result.verdict.outcome == outcome)
                #expect(result.verdict.findings.map(\.code).contains(code))
            }
        }
    }

    /// A pin does not stand in for trust.
    @Test(arguments: able) func theCertificateHasToBeTrustedAsWell(_ resolver: ResolverUnderTest) async throws {
        try await LabDoTServer.run(Self.zone, pki: Self.pki, tls: LabTLSRecipe(.unknownIssuer)) { server in
            let results = await Prober().probe(
                try check(server, pins: [try key(.unknownIssuer)]), subject: "models.test",
                through: [resolver.resolver], timeout: .seconds(60))
            #expect(results.map(\.verdict.outcome) == [.dnsIndeterminate])
            #expect(server.queries.isEmpty, "nothing is asked of a server that is not trusted")
        }
    }

    /// A CA that is added does not help against dates, nor against another name.
    @Test(
        arguments: able,
        [
            (LabIdentityName.expired, "have the DNS server's operator renew its certificate"),
            (.notYetValid, "check this machine's clock"), (.wrongName, "check the DNS server's name, or ask"),
            (.unknownIssuer, "check the DNS server's name; if it is right, give its CA"),
        ])
    func theFixIsForTheCertificate(
        _ resolver: ResolverUnderTest, certificate: (identity: LabIdentityName, fix: String)
    ) async throws {
        try await LabDoTServer.run(Self.zone, pki: Self.pki, tls: LabTLSRecipe(certificate.identity)) { server in
            let results = await Prober().probe(
                try check(server, pins: []), subject: "models.test", through: [resolver.resolver],
                timeout: .seconds(60))
            let finding = try #require(results.first?.verdict.findings.first)
            #expect(finding.code == "tls-failed" && finding.fix.hasPrefix(certificate.fix), "\(finding)")
        }
    }

    /// A stack that does not show the key is refused before anything is sent.
    @Test func whoCantShowTheKeyIsRefused() async throws {
        try await LabDoTServer.run(Self.zone, pki: Self.pki) { server in
            let unable: [any Resolver] = [
                UnboundResolver(), LDNSResolver(),
            ]
            let results = await Prober().probe(
                try check(server, pins: [try key(.good)]), subject: "models.test", through: unable,
                timeout: .seconds(60))
            #expect(results.map(\.verdict.outcome) == [.unsupported, .unsupported])
            #expect(server.queries.isEmpty)
        }
    }

    @Test func theChainIsReported() async throws {
        try await LabDoTServer.run(Self.zone, pki: Self.pki) { server in
            let query = DNSQuery(
                name: try DNSName("models.test"), servers: [], tlsServers: [try server.server()],
                wantsServerChain: true,
                deadline: .after(.seconds(1800)))
            for resolver in Self.able {
                let attempt = try #require(await resolver.resolver.resolve(query).attempts.last)
                #expect(attempt.channel == .tls)
                #expect(attempt.serverChain.first == (try Self.pki.identity(.good).leaf))
                #expect(attempt.server == "\(try server.server())")
            }
        }
    }

    /// Whoever is on the way can write what nobody encrypted; the server has closed nothing.
    @Test(arguments: able) func aBrokenRecordIsAFailureOfTLS(_ resolver: ResolverUnderTest) async throws {
        let recipe = LabTLSRecipe(
            .good, service: .plaintext([23, 3, 3, 0, 20] + [UInt8](repeating: 0xaa, count: 20)))
        try await LabServer.run(.tls(recipe), pki: Self.pki) { server in
            let asked = try DNSQuery.TLSServer(
                "tls://good.test:\(server.endpoint.port)", connect: server.endpoint, anchors: try Self.pki.anchors())
            let report = await resolver.resolver.resolve(
                DNSQuery(
                    name: try DNSName("models.test"), servers: [], tlsServers: [asked], tries: 1,
                    deadline: .after(.seconds(1800))))
            let failure = try #require(report.attempts.last?.failure)
            #expect(failure.code == .tls && failure.message.contains("the TLS with the server failed"), "\(failure)")
        }
    }

    /// A server given by name is dialled at its other addresses where the first does not answer.
    @Test func theNextAddressIsDialled() async throws {
        try await LabDoTServer.run(Self.zone, pki: Self.pki) { server in
            let closed = try #require(IPAddress("127.0.0.2"))
            let network = ProbeNetwork(lookup: HostLookup { _ in .success([closed, .loopback4]) })
            let named = try DNSQuery.TLSServer(
                "tls://good.test:\(server.endpoint.port)", anchors: try Self.pki.anchors())
            let exchange = DNSExchange(
                codec: SwiftDNSCodec(), over: network, tls: OpenSSLTransport.engineMaker())
            let report = await exchange.resolve(
                DNSQuery(
                    name: try DNSName("models.test"), servers: [], tlsServers: [named], tries: 1,
                    deadline: .after(.seconds(1800))))
            #expect(report.attempts.map(\.failure?.code) == [.refused, nil])
            #expect(report.attempts.last?.reply != nil)
        }
    }

    /// NSD over TLS, through every resolver that supports it, with and without a certificate for its name.
    @Test(.needs(.nsd)) func nsdIsAskedOverTLS() async throws {
        let pki = Self.pki
        try await DNSPartner.runNSDOverTLS(as: try pki.identity(.good)) { endpoint in
            for (name, outcome) in [("good.test", Outcome.pass), ("other.test", .dnsIndeterminate)] {
                let check = ModelCheck(
                    model: try ModelName("florida"), hosts: [try DNSName("simple.models.test")], servers: [],
                    tlsServers: [
                        try DNSQuery.TLSServer("tls://\(name)", connect: endpoint, anchors: try pki.anchors())
                    ])
                let able = ResolverUnderTest.all.map(\.resolver).filter { $0.capabilities.contains(.tlsServers) }
                #expect(able.map(\.identity.name) == ["ldns", "cares"])
                let results = await Prober().probe(
                    check, subject: "models", through: able, timeout: .seconds(60))
                #expect(
                    results.map(\.verdict.outcome) == able.map { _ in outcome },
                    "\(name): \(results.map(\.verdict.findings))")
            }
        }
    }
}
