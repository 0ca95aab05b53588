import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

/// Client certificates shown to servers that are not ours, which judge them themselves.
@Suite(.bounded) struct ClientIdentityTests {
    private static let pki = LabPKI(epoch: .now)

    private static func probe(
        _ endpoint: Endpoint, with name: LabIdentityName, alpn: [String] = [], serverDate: ServerDateMode = .never
    ) async throws -> [ProbeResult] {
        let check = Check(
            target: Target(name: try ServerName("good.test"), connect: endpoint), anchors: try pki.anchors(),
            alpn: alpn, serverDate: serverDate, timeout: .seconds(60), clientIdentity: try pki.identity(name).asClient)
        let transports = try BackendsUnderTest.transports.map { try $0.get() }
        return await Prober().probe(check, through: transports, resolvers: [])
    }

    @Test(
        .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"),
        arguments: [TLSVersion.tls12, .tls13], [LabIdentityName.clientPurpose, .expired, .unknownIssuer])
    func opensslServer(over version: TLSVersion, name: LabIdentityName) async throws {
        let folder = try PartnerFolder()
        let port = try LoopbackPort.free()
        let identity = try Self.pki.identity(.good)
        let server = PartnerProcess(
            program: "openssl",
            arguments: [
                "s_server", "-accept", "127.0.0.1:\(port)", "-www", "-Verify", "3", "-verify_return_error",
                "-cert", try folder.write(identity.chainPEM, to: "chain.pem"),
                "-key", try folder.write(identity.keyPEM, to: "key.pem"),
                "-cert_chain", try folder.write(identity.issuersPEM, to: "issuers.pem"),
                "-CAfile", try folder.write(Self.pki.rootPEM(), to: "root.pem"),
                version == .tls12 ? "-tls1_2" : "-tls1_3",
            ], port: port)
        let results = try await server.run {
            try await Self.probe(Endpoint(host: .ip(.loopback4), port: port), with: name)
        }
        #expect(results.count == BackendsUnderTest.transports.count)
        for result in results {
            let connection = try #require(result.evidence.connection)
            let place = "\(connection.transport.name): \(result.verdict.findings)"
            #expect(connection.report.clientCertificateRequested == true, "\(place)")
            #expect(connection.report.clientCertificateSent == true, "\(place)")
            #expect(connection.report.clientCertificateIssuers.count == 1, "\(place)")
            if name == .clientPurpose {
                #expect(result.verdict.outcome == .pass, "\(place)")
            } else {
                #expect(result.verdict.outcome == .handshakeFailed, "\(place)")
                #expect(result.verdict.decidingFinding?.code == "client-certificate-refused", "\(place)")
            }
        }
    }

    /// Without the certificate nginx answers 400; with it the request is served.
    @Test(
        .enabled(if: TLSPartner.nginx.isInstalled, "nginx is not installed"), arguments: [TLSVersion.tls12, .tls13])
    func nginx(over version: TLSVersion) async throws {
        let folder = try PartnerFolder()
        let root = try folder.write(Self.pki.rootPEM(), to: "root.pem")
        let options = "ssl_verify_client on; ssl_client_certificate \(root); ssl_verify_depth 3;"
        try await TLSPartner.nginx.run(Self.pki.identity(.good), versions: version...version, nginxOptions: options) {
            for result in try await Self.probe(
                $0, with: .clientPurpose, alpn: ["http/1.1"], serverDate: .always)
            {
                #expect(result.verdict.outcome == .pass, "\(result.verdict.findings)")
                #expect(result.evidence.connection?.report.http?.response?.status == 204)
            }
        }
    }
}
