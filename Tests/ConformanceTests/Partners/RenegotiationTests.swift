import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

/// A server that asks for a new handshake in TLS 1.2 once it has read the request (RFC 5246 section 7.4.1.1), and waits for it: every
/// backend refuses, so that the server does not wait until the deadline.
@Suite(.bounded, .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"))
struct RenegotiationTests {
    private static let pki = LabPKI(epoch: .now)

    @Test(arguments: BackendsUnderTest.transports)
    func itIsRefused(_ transport: TransportUnderTest) async throws {
        let transport = try transport.get()
        let identity = try Self.pki.identity(.good)
        let folder = try PartnerFolder()
        let port = try LoopbackPort.free()
        let chain = try folder.write(identity.chainPEM, to: "chain.pem")
        let key = try folder.write(identity.keyPEM, to: "key.pem")
        // It prints what it is sent.
        let script = """
            commands=$(dirname \(key))/commands; mkfifo "$commands"
            openssl s_server -accept 127.0.0.1:\(port) -cert \(chain) -cert_chain \(chain) -key \(key) -tls1_2 \
            <> "$commands" | while read -r line; do case $line in
            *"HEAD /"*) echo r > "$commands" ;;
            esac; done
            """
        let server = PartnerProcess(program: "sh", arguments: ["-c", script], port: port)
        let check = Check(
            target: Target(name: try ServerName("good.test"), connect: Endpoint(host: .ip(.loopback4), port: port)),
            anchors: try Self.pki.anchors(), alpn: ["http/1.1"], serverDate: .always, timeout: .seconds(300),
            clientIdentity: try Self.pki.identity(.clientPurpose).asClient)
        let results = try await server.run { await Prober().probe(check, through: [transport], resolvers: []) }
        let result = try #require(results.first)
        let report = try #require(result.evidence.connection?.report)
        #expect(report.failure == nil && report.version == .tls12 && report.clientCertificateSent == false)
        guard case HTTPReport.Answer.none(let reason)? = report.http?.outcome else {
            Issue.record("\(report.http.debugDescription)")
            return
        }
        #expect(!reason.contains("deadline"), "\(reason)")
        let note = result.verdict.findings.first { $0.code == "client-certificate-not-sent" }
        #expect(note?.message.contains("renegotiation") == true, "\(result.verdict.findings)")
    }
}
