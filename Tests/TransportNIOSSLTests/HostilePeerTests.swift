import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// Peers that do not support TLS, or break it: each is a typed failure, in time.
@Suite(.bounded)
struct HostilePeerTests {
    @Test(arguments: [
        (LabPeer.dead, HandshakeFailure.Code.connectionRefused), (.closes, .connectionClosed),
        (.closesAfterHello, .connectionClosed), (.resetsAfterHello, .connectionReset),
        (.closesMidHandshake, .connectionClosed), (.plainHTTP, .notTLS), (.plainSMTP, .notTLS), (.garbage, .notTLS),
        (.endlessBytes, .notTLS), (.oversizedRecord, .protocolError), (.endlessWarnings, .protocolError),
        (.endlessEmptyRecords, .protocolError), (.endlessMessage, .protocolError),
    ])
    func failsAtOnce(_ peer: LabPeer, _ code: HandshakeFailure.Code) async throws {
        let report = try await Fixture.report(of: peer)
        #expect(report.failure?.code == code)
        #expect(report.chain.isEmpty)
        #expect(report.nativeTrust == nil)
    }

    @Test(arguments: [LabPeer.silent, .silentAfterHello, .halfRecord])
    func waitsNoLongerThanTheDeadline(_ peer: LabPeer) async throws {
        let began = Stopwatch()
        let report = try await Fixture.report(of: peer, timeout: .milliseconds(300))
        #expect(report.failure?.code == .handshakeTimeout)
        #expect(began.elapsed < .seconds(60))
    }

    @Test(arguments: [UInt8(40), 42, 70, 80, 112].map(HandshakeFailure.Alert.init(rawValue:)))
    func alertsKeepTheirNumber(_ alert: HandshakeFailure.Alert) async throws {
        let report = try await Fixture.report(of: .alert(alert))
        #expect(report.failure?.code == .alertReceived)
        #expect(report.failure?.alert == alert)
        #expect(report.failure?.nativeCode == "error:10000" + String(1000 + Int(alert.rawValue), radix: 16))
    }
}
