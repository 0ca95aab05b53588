import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// A server that asks for a client certificate in the handshake and, right after it, once more often than is answered. What it
/// makes of the last answer does not arrive, so that nothing else ends the wait for its refusal.
@Suite(.bounded, .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"))
struct LateRequestLimitTests {
    private static let pki = LabPKI(epoch: .now)

    /// The other stacks take the first such request for acceptance, and do not wait on.
    @Test func curlReadsOneRequestTooMany() async throws {
        let transports = try BackendsUnderTest.transports.map { try $0.get() }
        let transport = try #require(transports.first { $0.identity.name == "curl" })
        let server = OpenSSLServer(
            presented: .repeatedLeaf(of: try Self.pki.identity(.good)), version: .tls13, clients: .optional(depth: 1),
            authorities: try Self.pki.rootPEM(), further: ["-num_tickets", "0"])
        // It reports each request that it sends, and in its errors each that it can't send before the answer to the last one.
        let answers: KeyValuePairs = [
            "CIPHER is": "count=0; echo c",
            "SSL_do_handshake -> 1": "count=$((count + 1)); [ $count -gt 4 ] || echo c",
            "Failed to initiate request": "sleep 0.01; echo c",
        ]
        // The wait ends with the requests: by time alone it is longer than a test may take.
        let report = try await HandshakeLimits.$refusalPatience.withValue(.seconds(3600)) {
            try await server.run(answering: answers, readingErrors: true) { endpoint in
                let relay = try await SlowRelay.start(to: endpoint, end: .never)
                let report = await transport.handshake(
                    HandshakeRequest(
                        endpoint: relay.endpoint, serverName: try ServerName("good.test"),
                        anchors: try Self.pki.anchors(), instant: Self.pki.epoch, deadline: .after(.seconds(3600)),
                        clientIdentity: try Self.pki.identity(.clientPurpose).asClient))
                await relay.stop()
                return report
            }
        }
        let failure = try #require(report.failure)
        #expect(failure.code == .protocolError && failure.isAfterHandshake, "\(failure)")
        #expect(failure.message.contains("more than 4 times after the handshake"), "\(failure)")
        #expect(report.clientCertificateRequestedLate == true && report.clientCertificateSent == true)
    }
}
