import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing
import TransportCurl

/// Handshakes with servers that behave.
@Suite(.bounded)
struct HandshakeTests {
    private let transport: CurlTransport

    init() throws {
        transport = CurlTransport()
    }

    /// Returns one handshake with a lab server, which must see no byte of application data (requirement 108).
    private func report(
        of recipe: LabTLSRecipe, name: String = "good.test", versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        alpn: [String] = [], on address: IPAddress = .loopback4
    ) async throws -> HandshakeReport {
        try await LabServer.run(.tls(recipe), pki: Fixture.pki, on: address) { server in
            let request = try Fixture.request(to: server.endpoint, name: name, versions: versions, alpn: alpn)
            let report = await transport.handshake(request)
            #expect(server.applicationBytes == 0)
            #expect(server.acceptedConnections == 1)
            return report
        }
    }

    @Test func sayWhichLibrariesAreLoaded() {
        #expect(transport.identity.name == "curl")
        #expect(transport.identity.library == "libcurl")
        #expect(transport.identity.version.contains(#/^\d+\.\d+\.\d+ \(OpenSSL\/\d.*\)$/#))
    }

    @Test func showsEverythingOfATLS13Handshake() async throws {
        let report = try await report(
            of: LabTLSRecipe(.good, versions: .tls13 ... .tls13, applicationProtocols: ["http/1.1"], groups: [0x001D]),
            alpn: ["h2", "http/1.1"])
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
        #expect(report.clientCertificateRequested == false)
        #expect(report.nativeTrust?.isAccepted == true)
        #expect(report.nativeTrust?.path?.count == 3)
        #expect(report.timings.connect != nil)
        #expect(report.timings.handshake != nil)
        #expect(report.timings.trust != nil)
    }

    @Test func showsEverythingOfATLS12Handshake() async throws {
        let report = try await report(
            of: LabTLSRecipe(
                .rsa2048, versions: .tls12 ... .tls12, cipherSuites: [0xC02F], groups: [0x0018],
                asksForCertificate: true))
        #expect(report.failure == nil)
        #expect(report.chain == (try Fixture.pki.identity(.rsa2048).chain))
        #expect(report.version == .tls12)
        #expect(report.cipherSuite == "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256")
        #expect(report.group == "secp384r1")
        #expect(report.alpn == nil)
        #expect(report.ocspStaple == nil)
        #expect(report.clientCertificateRequested == true)
    }

    /// libcurl has options for two protocols; through the context any can be offered, and h2 is not used then.
    @Test(arguments: ["h2", "http/1.1", "imap", "x-nobody-knows/9"])
    func anyApplicationProtocolIsOfferedAndNoneIsSpoken(_ name: String) async throws {
        let report = try await report(of: LabTLSRecipe(.good, applicationProtocols: [name]), alpn: ["none", name])
        #expect(report.failure == nil)
        #expect(report.alpn == name)
    }

    @Test func aProtocolNameNobodyCanEncodeIsRefused() async throws {
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Fixture.pki) { server in
            for name in ["", String(repeating: "x", count: 256)] {
                let report = await transport.handshake(try Fixture.request(to: server.endpoint, alpn: [name]))
                #expect(report.failure?.code == .unsupported)
            }
            #expect(server.acceptedConnections == 0)
        }
    }

    @Test(arguments: [TLSVersion.tls12, .tls13])
    func offersOnlyTheVersionsItWasGiven(_ version: TLSVersion) async throws {
        #expect(try await report(of: LabTLSRecipe(.good), versions: version...version).version == version)
    }

    @Test func oldVersionsAreSpokenOnRequest() async throws {
        let recipe = LabTLSRecipe(.rsa2048, versions: .tls10 ... .tls11)
        #expect(try await report(of: recipe, versions: .tls10 ... .tls13).version == .tls11)
        #expect(try await report(of: recipe, versions: .tls10 ... .tls10).version == .tls10)
    }

    @Test func theServerNameChoosesTheCertificate() async throws {
        let recipe = LabTLSRecipe(.good, identitiesByName: ["second.test": .second])
        let report = try await report(of: recipe, name: "second.test")
        #expect(report.chain == (try Fixture.pki.identity(.second).chain))
        #expect(report.nativeTrust?.isAccepted == true)
    }

    @Test(arguments: [IPAddress.loopback4, .loopback6])
    func addressesAreNamesThatAreNotSent(_ address: IPAddress) async throws {
        try need(address)
        let report = try await report(of: LabTLSRecipe(.address), name: address.description, on: address)
        #expect(report.failure == nil)
        #expect(report.peerAddress == address.description)
        #expect(report.sniSent == nil)
        #expect(report.nativeTrust?.isAccepted == true)
    }

    /// `https://0x7f000001/` is a URL for 127.0.0.1: the name asked for would be another one. No text is read as such a name,
    /// and a program can make one.
    @Test func aNameThatLibcurlWouldRewriteIsRefused() async throws {
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Fixture.pki) { server in
            let request = HandshakeRequest(
                endpoint: server.endpoint, serverName: .dns("0x7f000001"), anchors: try Fixture.pki.anchors(),
                instant: Fixture.pki.epoch, deadline: .after(.seconds(1800)))
            let report = await transport.handshake(request)
            #expect(report.failure?.code == .backendError)
            #expect(report.failure?.nativeCode == "CURLE_URL_MALFORMAT")
            #expect(server.acceptedConnections == 0)
        }
    }

    @Test func everyHandshakeOfManyIsAFullOne() async throws {
        let identity = try Fixture.pki.identity(.good)
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Fixture.pki) { server in
            let request = try Fixture.request(to: server.endpoint)
            await withTaskGroup(of: HandshakeReport.self) { group in
                for _ in 0..<100 { group.addTask { [transport] in await transport.handshake(request) } }
                for await report in group {
                    #expect(report.failure == nil)
                    #expect(report.chain == identity.chain)
                    #expect(report.nativeTrust?.isAccepted == true)
                }
            }
            #expect(server.acceptedConnections == 100)
            #expect(server.applicationBytes == 0)
        }
    }

    @Test func instantsOfHandshakesDoNotMeet() async throws {
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Fixture.pki) { server in
            await withTaskGroup(of: (TrustCause?, TrustCause?).self) { group in
                for (days, cause) in [(0, nil), (61, .expired), (-31, .notYetValid)] as [(Int, TrustCause?)] {
                    for _ in 0..<10 {
                        group.addTask { [transport] in
                            let request = try? Fixture.request(to: server.endpoint, at: days * 86_400)
                            guard let request else { return (.other, cause) }
                            return (await transport.handshake(request).nativeTrust?.cause, cause)
                        }
                    }
                }
                for await (found, expected) in group { #expect(found == expected) }
            }
        }
    }
}
