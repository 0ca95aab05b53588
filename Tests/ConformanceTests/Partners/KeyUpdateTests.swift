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

    private var server: OpenSSLServer {
        get throws { OpenSSLServer(presented: .repeatedLeaf(of: try pki.identity(.good)), version: .tls13) }
    }

    @Test(arguments: BackendsUnderTest.transports)
    func theResponseIsReadUnderTheNewKeys(_ transport: TransportUnderTest) async throws {
        let date = HTTPDate.format(pki.epoch)
        // Its input goes to the client; what it reads at once is a command if it begins with K, and nothing else.
        let response = "echo K; sleep 0.3; printf 'HTTP/1.1 200 OK\\r\\nDate: \(date)\\r\\n\\r\\n'"
        let result = try await server.run(answering: ["HEAD /": response]) { endpoint in
            let target = Target(name: try ServerName("good.test"), connect: endpoint)
            let check = Check(target: target, anchors: try pki.anchors(), serverDate: .always)
            return await Prober(clock: .fixed(pki.epoch)).probe(check, through: [try transport.get()], resolvers: [])
        }
        let connection = try #require(result.first?.evidence.connection)
        #expect(connection.report.failure == nil)
        #expect(connection.report.version == .tls13)
        #expect(connection.serverTime == .known(pki.epoch, skew: 0), "\(connection.report.http.debugDescription)")
    }

    /// One that goes on changing them instead of answering: the date stays unknown, by the deadline, and the handshake stands.
    @Test(arguments: BackendsUnderTest.transports)
    func changesWithoutEndCostTheDateAlone(_ transport: TransportUnderTest) async throws {
        let changes = "while :; do echo K; sleep 0.01; done &"
        let result = try await server.run(answering: ["CIPHER is": changes]) { endpoint in
            let target = Target(name: try ServerName("good.test"), connect: endpoint)
            let check = Check(
                target: target, anchors: try pki.anchors(), serverDate: .always, timeout: .seconds(1800))
            return await Prober(clock: .fixed(pki.epoch)).probe(check, through: [try transport.get()], resolvers: [])
        }
        let connection = try #require(result.first?.evidence.connection)
        #expect(connection.report.failure == nil)
        #expect(result.first?.verdict.findings.contains { $0.code == "server-date-unknown" } == true)
    }
}
