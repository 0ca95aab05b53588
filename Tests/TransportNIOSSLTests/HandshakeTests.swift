import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing
import TransportNIOSSL

/// Handshakes with the lab's TLS servers.
@Suite(.bounded)
struct HandshakeTests {
    private func report(
        of recipe: LabTLSRecipe, name: String = "good.test", versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        alpn: [String] = []
    ) async throws -> HandshakeReport {
        try await Fixture.report(of: .tls(recipe), name: name, versions: versions, alpn: alpn)
    }

    @Test func showsEverythingOfATLS13Handshake() async throws {
        let report = try await report(
            of: LabTLSRecipe(.good, applicationProtocols: ["http/1.1"], groups: [0x001d]), alpn: ["h2", "http/1.1"])
        let identity = try Fixture.pki.identity(.good)
        #expect(report.failure == nil)
        #expect(report.peerAddress == "127.0.0.1")
        #expect(report.sniSent == "good.test")
        #expect(report.chain == identity.chain)
        #expect(report.keys.first == .spki(identity.key.spki))
        #expect(report.keys.count == 2)
        #expect(report.version == .tls13)
        #expect(report.cipherSuite?.hasPrefix("TLS_") == true)
        #expect(report.group == "x25519")
        #expect(report.alpn == "http/1.1")
        #expect(report.ocspStaple == nil)
        #expect(report.handshakeSCTs.isEmpty)
        #expect(report.clientCertificateRequested == false)
        #expect(report.nativeTrust?.isAccepted == true)
        #expect(report.timings.connect != nil)
        #expect(report.timings.handshake != nil)
        #expect(report.timings.trust != nil)
    }

    /// NIOSSL accepts the address that it dials in place of the name: the name's own, and not that of another endpoint, which may
    /// have a name too.
    @Test func theDialledAddressCountsIfItIsTheNames() async throws {
        let transport = NIOSSLTransport()
        try await LabServer.run(.tls(LabTLSRecipe(.address)), pki: Fixture.pki) { server in
            let local = Endpoint(host: .dns("localhost"), port: server.endpoint.port)
            for (endpoint, name, isOwn, isAccepted) in [
                (local, "localhost", false, true), (local, "good.test", false, false),
                (server.endpoint, "good.test", false, false), (server.endpoint, "good.test", true, true),
            ] {
                var request = try Fixture.request(endpoint, name: name)
                request.isAtOwnAddress = isOwn
                let report = await transport.handshake(request)
                #expect(report.failure == nil)
                #expect(report.nativeTrust?.isAccepted == isAccepted, "\(name) at \(endpoint), own: \(isOwn)")
            }
        }
    }

    @Test func showsEverythingOfATLS12Handshake() async throws {
        let report = try await report(
            of: LabTLSRecipe(
                .rsa2048, versions: .tls12 ... .tls12, cipherSuites: [0xc02f], groups: [0x0018],
                asksForCertificate: true))
        #expect(report.failure == nil)
        #expect(report.chain == (try Fixture.pki.identity(.rsa2048).chain))
        #expect(report.version == .tls12)
        #expect(report.cipherSuite == "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")
        #expect(report.group == "secp384r1")
        #expect(report.alpn == nil)
        #expect(report.clientCertificateRequested == true)
    }

    @Test(arguments: [
        (UInt16(0x001d), "x25519"), (0x0017, "secp256r1"), (0x0018, "secp384r1"), (0x11ec, "X25519MLKEM768"),
    ])
    func namesGroupsAsTheRegistryDoes(_ group: UInt16, _ name: String) async throws {
        #expect(try await report(of: LabTLSRecipe(.good, groups: [group])).group == name)
    }

    @Test func aKeyExchangeWithoutAGroupHasNone() async throws {
        let report = try await report(
            of: LabTLSRecipe(.enciphermentUsage, versions: .tls12 ... .tls12, cipherSuites: [0x009c]))
        #expect(report.failure == nil)
        #expect(report.group == nil)
        #expect(report.cipherSuite == "TLS_RSA_WITH_AES_128_GCM_SHA256")
    }

    @Test(arguments: [LabIdentityName.good, .p384, .rsa2048, .rsa4096, .rsa1024, .ed25519])
    func takesEveryKindOfKey(_ identity: LabIdentityName) async throws {
        for version in [TLSVersion.tls12, .tls13] {
            let report = try await report(of: LabTLSRecipe(identity, versions: version...version))
            #expect(report.failure == nil)
            #expect(report.version == version)
        }
    }

    @Test(arguments: [TLSVersion.tls10, .tls11, .tls12, .tls13])
    func offersOnlyTheVersionsItWasGiven(_ version: TLSVersion) async throws {
        let report = try await report(
            of: LabTLSRecipe(.rsa2048, versions: .tls10 ... .tls13), versions: version...version)
        #expect(report.failure == nil)
        #expect(report.version == version)
    }

    @Test func anAlertIsReportedWithItsNumber() async throws {
        let report = try await report(
            of: LabTLSRecipe(.good, versions: .tls13 ... .tls13), versions: .tls12 ... .tls12)
        #expect(report.failure?.code == .alertReceived)
        #expect(report.failure?.alert == .protocolVersion)
        #expect(report.failure?.nativeCode == "error:1000042e")
        #expect(report.chain.isEmpty)
        #expect(report.version == nil)
        #expect(report.nativeTrust == nil)
        #expect(report.sniSent == "good.test")
    }

    @Test func addressesAreNeverSentAsSNI() async throws {
        let recipe = LabTLSRecipe(.address, identitiesByName: ["127.0.0.1": .good])
        let report = try await report(of: recipe, name: "127.0.0.1")
        #expect(report.failure == nil)
        #expect(report.sniSent == nil)
        #expect(report.chain == (try Fixture.pki.identity(.address).chain))
        #expect(report.nativeTrust?.isAccepted == true)
    }

    @Test func theServerChoosesBySNI() async throws {
        let recipe = LabTLSRecipe(.good, identitiesByName: ["second.test": .second])
        let report = try await report(of: recipe, name: "second.test")
        #expect(report.chain == (try Fixture.pki.identity(.second).chain))
    }

    @Test func aRefusedChainDoesNotEndTheHandshake() async throws {
        let report = try await report(of: LabTLSRecipe(.expired))
        #expect(report.failure == nil)
        #expect(report.nativeTrust?.problems.map(\.cause) == [.expired])
    }

    /// BoringSSL insists on the leaf's key usage during the handshake.
    @Test(arguments: [TLSVersion.tls12, .tls13])
    func theChainIsEvidenceWhereTheHandshakeFails(_ version: TLSVersion) async throws {
        let report = try await report(
            of: LabTLSRecipe(
                .noServerUsage, versions: version...version, cipherSuites: version == .tls12 ? [0xc02f] : nil))
        #expect(report.failure?.code == .protocolError)
        #expect(report.failure?.message.contains("KEY_USAGE_BIT_INCORRECT") == true)
        #expect(report.failure?.cause == .keyUsage && report.cipherSuite != nil)
        #expect(report.version == version)
        #expect(report.chain == (try Fixture.pki.identity(.noServerUsage).chain))
        #expect(report.nativeTrust?.cause == .wrongPurpose)
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func tooManyCertificatesAreTheirOwnFailure(_ version: TLSVersion) async throws {
        let report = try await report(of: LabTLSRecipe(.huge, versions: version...version))
        #expect(report.failure?.code == .chainTooLong)
        #expect(report.version == version)
        #expect(report.chain.isEmpty)
        #expect(report.nativeTrust == nil)
    }

    @Test func bytesMayComeOneByOne() async throws {
        let report = try await report(of: LabTLSRecipe(.good, pace: LabPace(bytes: 1, pause: .microseconds(100))))
        #expect(report.failure == nil)
        #expect(report.chain == (try Fixture.pki.identity(.good).chain))
    }

    @Test func everyHandshakeOfManyIsAFullOne() async throws {
        let transport = NIOSSLTransport()
        let chain = try Fixture.pki.identity(.good).chain
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Fixture.pki) { server in
            let request = try Fixture.request(server.endpoint)
            await withTaskGroup(of: HandshakeReport.self) { group in
                for _ in 0..<50 { group.addTask { await transport.handshake(request) } }
                for await report in group {
                    #expect(report.failure == nil)
                    #expect(report.chain == chain)
                    #expect(report.nativeTrust?.isAccepted == true)
                }
            }
            #expect(server.applicationBytes == 0)
        }
    }

    @Test func namesItsLibrary() {
        let transport = NIOSSLTransport()
        let identity = transport.identity
        #expect(transport.name == "nio")
        #expect(identity.name == "nio")
        #expect(identity.library == "BoringSSL")
        #expect(identity.version.hasPrefix("API "))
    }
}
