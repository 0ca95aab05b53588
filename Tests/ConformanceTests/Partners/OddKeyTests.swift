import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import ProbeTrust
import Testing

/// Keys that stacks encode or read in different ways, from a server that presents any given certificate: none of them
/// passes anywhere, and the outcome depends on the reader.
@Suite(
    .bounded,
    .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed: no server takes every identity"))
struct OddKeyTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_795_262_400))

    /// The key's bytes lack the NULL that each stack writes when it encodes the key again.
    @Test(arguments: BackendsUnderTest.transports) func rsaWithoutNullIsReadInTwoWays(_ subject: TransportUnderTest)
        async throws
    {
        let transport = try subject.get()
        let result = try await probe(try Self.pki.identity(.rsaWithoutNull), through: transport)
        // BoringSSL does not even read such a key, and ends the handshake.
        #expect(result.outcome == .readingsDisagree, "\(result.findings)")
    }

    /// OpenSSL takes a compressed point, GnuTLS ends the handshake over it; the reference verifier refuses it.
    @Test(arguments: BackendsUnderTest.transports) func aCompressedPointPassesNowhere(_ subject: TransportUnderTest)
        async throws
    {
        let transport = try subject.get()
        let result = try await probe(try Self.pki.identity(.compressedPoint), through: transport)
        let expected: Outcome =
            switch transport.identity.name {
            case "gnutls", "nio": .readingsDisagree
            default: .stacksDisagree
            }
        #expect(result.outcome == expected)
    }

    /// A curve given by its parameters instead of its name.
    @Test(arguments: BackendsUnderTest.transports) func explicitParametersPassNowhere(_ subject: TransportUnderTest)
        async throws
    {
        let transport = try subject.get()
        let folder = try PartnerFolder()
        let (key, certificate) = (folder.path + "/key.pem", folder.path + "/cert.pem")
        for arguments in [
            ["ecparam", "-name", "prime256v1", "-param_enc", "explicit", "-genkey", "-noout", "-out", key],
            [
                "req", "-x509", "-new", "-key", key, "-subj", "/CN=good.test", "-days", "30", "-addext",
                "subjectAltName=DNS:good.test", "-out", certificate,
            ],
        ] {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/openssl")
            process.arguments = arguments
            process.standardError = FileHandle.nullDevice
            try process.run()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0, "openssl \(arguments[0]) failed")
        }
        let anchors = try TrustAnchors.file(certificate)
        let server = OpenSSLServer(
            presented: OpenSSLServer.Presented(
                certificate: try String(contentsOfFile: certificate, encoding: .utf8),
                key: try String(contentsOfFile: key, encoding: .utf8)))
        let results = try await server.run { endpoint in
            let check = Check(
                target: Target(name: try ServerName("good.test"), connect: endpoint), anchors: anchors,
                timeout: .seconds(1800))
            return await Prober().probe(check, through: [transport], resolvers: [])
        }
        let verdict = results.first?.verdict
        #expect(verdict?.outcome.isPass == false, "\(verdict?.outcome.rawValue ?? "no verdict")")
    }

    private func probe(_ identity: LabIdentity, through transport: any Transport) async throws -> Verdict {
        try await TLSPartner.openssl.run(identity) { endpoint in
            let check = Check(
                target: Target(name: try ServerName("good.test"), connect: endpoint), anchors: try Self.pki.anchors(),
                timeout: .seconds(1800))
            let prober = Prober(clock: .fixed(Self.pki.epoch))
            return try #require(await prober.probe(check, through: [transport], resolvers: []).first).verdict
        }
    }
}
