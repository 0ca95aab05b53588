import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@testable import ProbeNet

/// Each stack names the offers that it can't make before it connects, and sends those that it alone can make.
@Suite(.bounded) struct OfferTests {
    struct Refused: Sendable, CustomTestStringConvertible {
        let transport: String
        let offer: ClientOffer
        let words: String
        var testDescription: String { "\(transport): \(words)" }

        init(_ transport: String, _ words: String, _ offer: ClientOffer) {
            self.transport = transport
            self.offer = offer
            self.words = words
        }
    }

    private static let rc4 = ClientOffer(
        versions: ["TLS 1.2"], cipherSuites: ["TLS_ECDHE_RSA_WITH_RC4_128_SHA", "TLS_RSA_WITH_RC4_128_SHA"])
    private static let kyber = ClientOffer(groups: ["X25519Kyber768Draft00", "x25519"])

    static let refused: [Refused] =
        ["openssl", "curl", "nio"].map { Refused($0, "TLS_ECDHE_RSA_WITH_RC4_128_SHA, TLS_RSA_WITH_RC4_128_SHA", rc4) }
        + ["openssl", "curl", "gnutls"].map { Refused($0, "X25519Kyber768Draft00", kyber) }
        + [
            Refused(
                "gnutls", "would add TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                ClientOffer(
                    versions: ["TLS 1.2"],
                    cipherSuites: [
                        "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384", "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                        "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                    ])),
            Refused(
                "nio", "would add TLS_AES_128_GCM_SHA256",
                ClientOffer(versions: ["TLS 1.3"], cipherSuites: ["TLS_AES_256_GCM_SHA384"])),
            Refused(
                "openssl", "in this order",
                ClientOffer(cipherSuites: ["TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256", "TLS_AES_128_GCM_SHA256"])),
        ]

    @Test(arguments: refused)
    func whatAStackCannotOfferItNames(_ refused: Refused) async throws {
        let (report, hellos) = try await Self.handshake(refused.transport, refused.offer)
        #expect(report.failure?.code == .unsupported)
        #expect(report.failure?.message.contains(refused.words) == true, "\(report.failure?.message ?? "none")")
        #expect(hellos.isEmpty, "nothing is sent")
    }

    @Test func gnutlsStillOffersRC4() async throws {
        let (_, hellos) = try await Self.handshake("gnutls", Self.rc4)
        let hello = try #require(hellos.first.flatMap { ClientHello(records: $0) })
        #expect(hello.cipherSuites == [0xc011, 0x0005])
    }

    @Test(arguments: ["openssl", "curl"]) func opensslOrdersSuitesOfTLS13(_ name: String) async throws {
        let offer = ClientOffer(
            versions: ["TLS 1.3"], cipherSuites: ["TLS_CHACHA20_POLY1305_SHA256", "TLS_AES_128_GCM_SHA256"])
        let (report, hellos) = try await Self.handshake(name, offer)
        #expect(report.failure == nil)
        #expect(hellos.first.flatMap { ClientHello(records: $0) }?.cipherSuites == [0x1303, 0x1301])
    }

    private static func handshake(
        _ name: String, _ offer: ClientOffer
    ) async throws -> (HandshakeReport, [[UInt8]]) {
        let transport = try #require(BackendsUnderTest.transports.first { $0.testDescription == name }).get()
        let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))
        return try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: pki) { server in
            let report = await transport.handshake(
                HandshakeRequest(
                    endpoint: server.endpoint, serverName: try ServerName("good.test"), anchors: try pki.anchors(),
                    instant: pki.epoch, deadline: .after(.seconds(1800)), offer: offer))
            return (report, server.clientHellos)
        }
    }
}
