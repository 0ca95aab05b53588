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
        let server = OpenSSLServer(
            presented: .chain(of: try Self.pki.identity(.good)), version: version, clients: .required(depth: 2),
            further: ["-client_sigalgs", algorithms])
        let transports = try BackendsUnderTest.transports.map { try $0.get() }
        // How late a server refuses is its own affair.
        let results = try await HandshakeLimits.$refusalPatience.withValue(.seconds(600)) {
            try await server.run { endpoint in
                let check = Check(
                    target: Target(name: try ServerName("good.test"), connect: endpoint),
                    anchors: try Self.pki.anchors(), timeout: .seconds(1800),
                    clientIdentity: try Self.pki.identity(.clientPurpose).asClient)
                return await Prober().probe(check, through: transports, resolvers: [])
            }
        }
        #expect(results.count == transports.count)
        for result in results {
            let connection = try #require(result.evidence.connection)
            #expect(connection.report.clientCertificateRequested == true, "\(connection.transport.name)")
            #expect(connection.report.clientCertificateSent == false, "\(connection.transport.name)")
            #expect(result.verdict.outcome == .handshakeFailed, "\(result.verdict.findings)")
            let finding = try #require(result.verdict.decidingFinding)
            #expect(finding.message.contains("the one that was given"), "\(finding.message)")
            #expect(finding.message.contains("takes no signature by"), "\(finding.message)")
            #expect(finding.fix.contains("signature algorithms"), "\(finding.fix)")
        }
    }
}
