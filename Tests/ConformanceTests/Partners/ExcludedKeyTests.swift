import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

/// A server whose signature algorithms exclude the key of the client certificate that was given (RFC 8446 section 4.3.2).
@Suite(.bounded, .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"))
struct ExcludedKeyTests {
    private static let pki = LabPKI(epoch: .now)

    @Test(arguments: [(TLSVersion.tls12, "RSA+SHA256"), (.tls13, "rsa_pss_rsae_sha256")])
    func theKeyIsNamed(version: TLSVersion, algorithms: String) async throws {
        let folder = try PartnerFolder()
        let port = try LoopbackPort.free()
        let identity = try Self.pki.identity(.good)
        let server = PartnerProcess(
            program: "openssl",
            arguments: [
                "s_server", "-accept", "127.0.0.1:\(port)", "-www", "-Verify", "2",
                "-cert", try folder.write(identity.chainPEM, to: "chain.pem"),
                "-key", try folder.write(identity.keyPEM, to: "key.pem"),
                "-cert_chain", try folder.write(identity.issuersPEM, to: "issuers.pem"),
                "-client_sigalgs", algorithms, version == .tls12 ? "-tls1_2" : "-tls1_3",
            ], port: port)
        let check = Check(
            target: Target(name: try ServerName("good.test"), connect: Endpoint(host: .ip(.loopback4), port: port)),
            anchors: try Self.pki.anchors(), timeout: .seconds(1800),
            clientIdentity: try Self.pki.identity(.clientPurpose).asClient)
        let transports = try BackendsUnderTest.transports.map { try $0.get() }
        // How late a server refuses is its own affair.
        let results = try await HandshakeLimits.$refusalPatience.withValue(.seconds(600)) {
            try await server.run { await Prober().probe(check, through: transports, resolvers: []) }
        }
        #expect(results.count == transports.count)
        for result in results {
            let connection = try #require(result.evidence.connection)
            #expect(connection.report.clientCertificateRequested == true, "\(connection.transport.name)")
            #expect(connection.report.clientCertificateSent == false, "\(connection.transport.name)")
            #expect(result.verdict.outcome == .handshakeFailed, "\(result.verdict.findings)")
            let finding = try #require(result.verdict.decidingFinding)
            #expect(finding.message.contains("the one that was given"), "\(finding.message)")
            #expect(finding.fix.contains("signature algorithms"), "\(finding.fix)")
        }
    }
}
