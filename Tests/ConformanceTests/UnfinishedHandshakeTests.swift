import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// A handshake that ends before the server could ask for a client certificate, or choose anything: no stack reports an answer
/// to what was not decided.
@Suite(.bounded) struct UnfinishedHandshakeTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    private static func report(
        of transport: TransportUnderTest, by script: LabScript
    ) async throws -> HandshakeReport {
        let transport = try transport.get()
        return try await LabServer.run(.script(script), pki: pki) { server in
            await transport.handshake(
                HandshakeRequest(
                    endpoint: server.endpoint, serverName: try ServerName("good.test"), anchors: try pki.anchors(),
                    instant: pki.epoch, deadline: .after(.seconds(1800)),
                    clientIdentity: try pki.identity(.clientPurpose).asClient))
        }
    }

    /// Nothing, clear text, an alert, and a ServerHello with a Certificate message that is empty.
    @Test(
        arguments: BackendsUnderTest.transports,
        [[], Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), [21, 3, 3, 0, 2, 2, 40], ServerFlight.records([])]
            as [[UInt8]])
    func nobodyWasAskedForACertificate(_ transport: TransportUnderTest, bytes: [UInt8]) async throws {
        let report = try await Self.report(of: transport, by: LabScript(on: .clientHello, bytes: bytes, end: .close))
        #expect(report.failure != nil)
        #expect(report.clientCertificateRequested == nil && report.clientCertificateSent == false)
        #expect(report.certificateRequestAnswered != true)
    }

    /// A ServerHello of TLS 1.1, which was not offered.
    @Test(arguments: BackendsUnderTest.transports)
    func aRefusedVersionWasNotNegotiated(_ transport: TransportUnderTest) async throws {
        let hello: [UInt8] = [3, 2] + [UInt8](repeating: 7, count: 32) + [0, 0xc0, 0x13, 0]
        let message = [2, 0, 0, UInt8(hello.count)] + hello
        let script = LabScript(on: .clientHello, bytes: [22, 3, 2, 0, UInt8(message.count)] + message)
        let report = try await Self.report(of: transport, by: script)
        #expect(report.failure?.cause == .versionNotOffered, "\(String(describing: report.failure))")
        #expect(report.version == nil && report.cipherSuite == nil)
    }
}
