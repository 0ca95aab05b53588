import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// A server with a Diffie-Hellman modulus of 1024 bits: each stack takes it where its ordinary client does.
@Suite(.bounded, .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"))
struct SmallModulusTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))
    private static let dhe = "TLS_DHE_RSA_WITH_AES_128_GCM_SHA256"

    /// The second group of RFC 2409.
    private static let group = """
        -----BEGIN DH PARAMETERS-----
        MIGHAoGBAP//////////yQ/aoiFowjTExmKLgNwc0SkCTgiKZ8x0Agu+pjsTmyJRSgh5jjQE3e+V
        GbPNOkMbMCsKbfJfFDdP4TVtbVHCReSFtXZiXn7G9ExC6aY37WsL/1y29Aa37e44a/taiZ+lrp8k
        EXxLH+ZJKGZR7OZTgf//////////AgEC
        -----END DH PARAMETERS-----

        """

    /// Runs `body` with the address of a server that has no other suites.
    private static func serve<Result: Sendable>(
        _ body: @Sendable (Endpoint) async throws -> Result
    ) async throws -> Result {
        let folder = try PartnerFolder()
        let server = OpenSSLServer(
            presented: .chain(of: try pki.identity(.rsa2048)), version: .tls12,
            further: [
                "-dhparam", try folder.write(group, to: "group.pem"),
                "-cipher", "DHE-RSA-AES128-GCM-SHA256:@SECLEVEL=0",
            ])
        let result = try await server.run(body)
        return withExtendedLifetime(folder) { result }
    }

    private static func report(
        of subject: TransportUnderTest, _ versions: ClosedRange<TLSVersion> = .tls12 ... .tls13,
        offer: ClientOffer? = nil
    ) async throws -> HandshakeReport {
        let transport = try subject.get()
        return try await serve { endpoint in
            await transport.handshake(
                HandshakeRequest(
                    endpoint: endpoint, serverName: try ServerName("good.test"), versions: versions,
                    anchors: try pki.anchors(), instant: pki.epoch, deadline: .after(.seconds(1800)), offer: offer))
        }
    }

    /// Returns true if `openssl s_client` completes the handshake, with its library's own settings.
    private static func clientTakesIt() async throws -> Bool {
        try await serve { endpoint in
            let client = Process()
            client.executableURL = URL(filePath: "/usr/bin/openssl")
            client.arguments = ["s_client", "-connect", endpoint.description]
            client.environment = ["OPENSSL_CONF": "/dev/null"]
            client.standardInput = FileHandle.nullDevice
            client.standardOutput = FileHandle.nullDevice
            client.standardError = FileHandle.nullDevice
            try client.run()
            client.waitUntilExit()
            return client.terminationStatus == 0
        }
    }

    /// BoringSSL has no such suites.
    @Test(arguments: BackendsUnderTest.transports)
    func eachDecidesAsItsClient(subject: TransportUnderTest) async throws {
        let failure = try await Self.report(of: subject).failure
        switch subject.testDescription {
        case "gnutls": #expect(failure == nil)
        case "nio": #expect(failure?.code == .alertReceived)
        default:
            let isTaken = try await Self.clientTakesIt()
            #expect((failure == nil) == isTaken, "\(String(describing: failure))")
            if let failure {
                #expect(failure.code == .protocolError && failure.message.contains("dh key too small"), "\(failure)")
            }
        }
    }

    /// Versions before TLS 1.2 and offers of a client's need weaker algorithms.
    @Test(arguments: BackendsUnderTest.transports.filter { $0.testDescription != "nio" })
    func olderClientsTakeIt(subject: TransportUnderTest) async throws {
        let older = try await Self.report(of: subject, .tls10 ... .tls13)
        #expect(older.failure == nil && older.cipherSuite == Self.dhe)
        let offered = try await Self.report(
            of: subject, .tls12 ... .tls12, offer: ClientOffer(cipherSuites: [Self.dhe]))
        #expect(offered.failure == nil && offered.cipherSuite == Self.dhe)
    }
}
