import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

/// A server that asks for a new handshake in TLS 1.2 once it has read the request (RFC 5246 section 7.4.1.1), and waits for it:
/// every backend refuses, so that the server does not wait until the deadline.
@Suite(.bounded, .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"))
struct RenegotiationTests {
    private static let pki = LabPKI(epoch: .now)

    @Test(arguments: BackendsUnderTest.transports)
    func itIsRefused(_ transport: TransportUnderTest) async throws {
        let transport = try transport.get()
        let server = OpenSSLServer(
            presented: .repeatedLeaf(of: try Self.pki.identity(.good)), version: .tls12)
        let results = try await server.run(answering: ["HEAD /": "echo r"]) { endpoint in
            let check = Check(
                target: Target(name: try ServerName("good.test"), connect: endpoint),
                anchors: try Self.pki.anchors(), alpn: ["http/1.1"], serverDate: .always, timeout: .seconds(300),
                clientIdentity: try Self.pki.identity(.clientPurpose).asClient)
            return await Prober().probe(check, through: [transport], resolvers: [])
        }
        let result = try #require(results.first)
        let report = try #require(result.evidence.connection?.report)
        #expect(report.failure == nil && report.version == .tls12 && report.clientCertificateSent == false)
        guard case .unavailable(let reason)? = report.http?.outcome else {
            Issue.record("\(report.http.debugDescription)")
            return
        }
        #expect(!reason.contains("deadline"), "\(reason)")
        let note = result.verdict.findings.first { $0.code == "client-certificate-not-sent" }
        #expect(note?.message.contains("renegotiation") == true, "\(result.verdict.findings)")
    }
}
