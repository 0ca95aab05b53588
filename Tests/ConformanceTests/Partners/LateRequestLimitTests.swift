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
        let identity = try Self.pki.identity(.good)
        let folder = try PartnerFolder()
        let port = try LoopbackPort.free()
        let chain = try folder.write(identity.chainPEM, to: "chain.pem")
        let key = try folder.write(identity.keyPEM, to: "key.pem")
        let root = try folder.write(Self.pki.rootPEM(), to: "root.pem")
        // It names the cipher when the handshake is complete, and reports each request that it sends, or can't send before the
        // answer to the last one.
        let script = """
            commands=$(dirname \(key))/commands; mkfifo "$commands"; count=0
            openssl s_server -accept 127.0.0.1:\(port) -cert \(chain) -cert_chain \(chain) -key \(key) -tls1_3 \
            -num_tickets 0 -verify 1 -CAfile \(root) <> "$commands" 2>&1 | while read -r line; do case $line in
            *"CIPHER is"*) echo c > "$commands" ;;
            *"SSL_do_handshake -> 1"*) count=$((count + 1)); [ $count -gt 4 ] || echo c > "$commands" ;;
            *"Failed to initiate request"*) sleep 0.01; echo c > "$commands" ;;
            esac; done
            """
        let server = PartnerProcess(program: "sh", arguments: ["-c", script], port: port)
        // The wait ends with the requests: by time alone it is longer than a test may take.
        let report = try await HandshakeLimits.$refusalPatience.withValue(.seconds(3600)) {
            try await server.run {
                let relay = try await SlowRelay.start(to: Endpoint(host: .ip(.loopback4), port: port), end: .never)
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
