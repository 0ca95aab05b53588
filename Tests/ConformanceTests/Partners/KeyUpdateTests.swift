import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

/// A server that changes its keys between request and response, and wants the client's changed (RFC 8446 section 4.6.3).
@Suite(
    .bounded,
    .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed: no other server changes keys on command"))
struct KeyUpdateTests {
    private let pki = LabPKI(epoch: .now)

    @Test(arguments: BackendsUnderTest.transports)
    func theResponseIsReadUnderTheNewKeys(_ transport: TransportUnderTest) async throws {
        let identity = try pki.identity(.good)
        let folder = try PartnerFolder()
        let port = try LoopbackPort.free()
        let chain = try folder.write(identity.chainPEM, to: "chain.pem")
        let key = try folder.write(identity.keyPEM, to: "key.pem")
        let date = HTTPDate.format(pki.epoch)
        // Its input goes to the client; a line that begins with K is a command.
        let script = """
            (sleep 1; echo K; sleep 0.3; printf 'HTTP/1.1 200 OK\\r\\nDate: \(date)\\r\\n\\r\\n'; sleep 5) \
            | openssl s_server -accept 127.0.0.1:\(port) -cert \(chain) -cert_chain \(chain) -key \(key) -tls1_3
            """
        let server = PartnerProcess(program: "sh", arguments: ["-c", script], port: port)
        let target = Target(
            name: try ServerName("good.test"), connect: Endpoint(host: .ip(.loopback4), port: port))
        let check = Check(target: target, anchors: try pki.anchors(), serverDate: .always)
        let result = try await server.run {
            await Prober(clock: .fixed(pki.epoch)).probe(check, through: [try transport.get()], resolvers: [])
        }
        let connection = try #require(result.first?.evidence.connection)
        #expect(connection.report.failure == nil)
        #expect(connection.report.version == .tls13)
        #expect(connection.serverTime == .known(pki.epoch, skew: 0), "\(connection.report.http.debugDescription)")
    }

    /// One that goes on changing them instead of answering: the date stays unknown, by the deadline, and the handshake stands.
    @Test(arguments: BackendsUnderTest.transports)
    func changesWithoutEndCostTheDateAlone(_ transport: TransportUnderTest) async throws {
        let identity = try pki.identity(.good)
        let folder = try PartnerFolder()
        let port = try LoopbackPort.free()
        let chain = try folder.write(identity.chainPEM, to: "chain.pem")
        let key = try folder.write(identity.keyPEM, to: "key.pem")
        // It names the cipher when the handshake is complete.
        let script = """
            commands=$(dirname \(key))/commands; mkfifo "$commands"
            openssl s_server -accept 127.0.0.1:\(port) -cert \(chain) -cert_chain \(chain) -key \(key) -tls1_3 <> "$commands" \
            | while read -r line; do case $line in
            *"CIPHER is"*) while :; do echo K; sleep 0.01; done > "$commands" & ;;
            esac; done
            """
        let server = PartnerProcess(program: "sh", arguments: ["-c", script], port: port)
        let target = Target(
            name: try ServerName("good.test"), connect: Endpoint(host: .ip(.loopback4), port: port))
        let check = Check(
            target: target, anchors: try pki.anchors(), serverDate: .always, timeout: .seconds(1800))
        let result = try await server.run {
            await Prober(clock: .fixed(pki.epoch)).probe(check, through: [try transport.get()], resolvers: [])
        }
        let connection = try #require(result.first?.evidence.connection)
        #expect(connection.report.failure == nil)
        #expect(result.first?.verdict.findings.contains { $0.code == "server-date-unknown" } == true)
    }
}
