import Foundation
import ProbeKit
import ProbeLab
import ProbeNet
import ProbeTestSupport
import Testing

/// The driver alone, with an engine that sends one message and waits.
@Suite(.bounded) struct HandshakeDriverTests {
    /// Sends a TLS-like greeting, then waits for whatever comes.
    private final class WaitingEngine: HandshakeEngine {
        private var output: [UInt8] = [0x16, 0x03, 0x01, 0x00, 0x01, 0x01]
        private var received = 0

        func receive(_ bytes: RawSpan) { received += bytes.byteCount }
        func advance() -> HandshakeProgress { .needsInput }
        var mayBeRefusedLate: Bool { false }

        func takeOutput() -> [UInt8] {
            defer { output = [] }
            return output
        }

        func fill(_ report: inout HandshakeReport) -> TrustDecision? {
            report.sniSent = "filled after \(received) bytes"
            return nil
        }

        func decrypt() -> DecryptedBytes { DecryptedBytes([]) }
        func encrypt(_ plaintext: RawSpan) throws(RecordFailure) {}
    }

    private func run(_ endpoint: Endpoint, within limit: Duration) async throws -> HandshakeReport {
        let request = HandshakeRequest(
            endpoint: endpoint, serverName: try ServerName("good.test"), anchors: .none, instant: .now,
            deadline: .after(limit))
        return await HandshakeDriver.run(request) { _ in WaitingEngine() }
    }

    /// A silent peer costs its deadline, no more, and the facts are collected all the same.
    @Test func theDeadlineHolds() async throws {
        try await LabServer.run(.silent, pki: LabPKI(epoch: .now)) { server in
            // A machine with much to do may not be connected by the first.
            for limit in [Duration.milliseconds(300), .seconds(3), .seconds(60)] {
                let (watch, began) = (Stopwatch(), ContinuousClock.now)
                let report = try await run(server.endpoint, within: limit)
                guard report.failure?.code != .connectTimeout || limit == .seconds(60) else { continue }
                #expect(began.duration(to: .now) >= limit)
                #expect(watch.elapsed < limit + .seconds(5))
                #expect(report.failure?.code == .handshakeTimeout)
                #expect(report.sniSent == "filled after 0 bytes")
                #expect(report.peerAddress == "127.0.0.1")
                break
            }
        }
    }

    @Test func aDeadlineThatHasPassedDialsNobody() async throws {
        try await LabServer.run(.silent, pki: LabPKI(epoch: .now)) { server in
            let report = try await run(server.endpoint, within: .zero)
            #expect(report.failure?.code == .connectTimeout)
        }
    }

    @Test func nobodyListens() async throws {
        try await LabServer.run(.dead, pki: LabPKI(epoch: .now)) { server in
            let report = try await run(server.endpoint, within: .seconds(1800))
            #expect(report.failure?.code == .connectionRefused)
            #expect(report.timings.connect == nil)
        }
    }

    /// A cancelled task gets its report at once, and the connection is closed.
    @Test func cancellationEndsTheWait() async throws {
        try await LabServer.run(.silent, pki: LabPKI(epoch: .now)) { server in
            let endpoint = server.endpoint
            let task = Task { try await run(endpoint, within: .seconds(60)) }
            while server.acceptedConnections == 0 { try await Task.sleep(for: .milliseconds(5)) }
            task.cancel()
            #expect(try await task.value.failure?.code == .backendError)
            while server.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    /// Bytes that are not TLS are recognized by the first ones, before an engine sees them.
    @Test func plaintextNeverReachesTheEngine() async throws {
        try await LabServer.run(.plainSMTP, pki: LabPKI(epoch: .now)) { server in
            let report = try await run(server.endpoint, within: .seconds(1800))
            #expect(report.failure?.code == .notTLS)
            #expect(report.sniSent == "filled after 0 bytes")
        }
    }

    /// Bytes that are too few for a record, and can't begin one, are not waited on until the deadline.
    @Test(arguments: ["x\r\n", "H", "\u{16}\u{7}"])
    func aShortGreetingIsJudgedSoon(text: String) async throws {
        let script = LabScript(on: .firstBytes, bytes: Array(text.utf8), end: .silence)
        try await LabServer.run(.script(script), pki: LabPKI(epoch: .now)) { server in
            let report = try await run(server.endpoint, within: .seconds(1800))
            #expect(report.failure?.code == .notTLS)
            #expect(report.sniSent == "filled after 0 bytes")
        }
    }

    /// Bytes that are too few for a record are judged when no more can come.
    @Test(arguments: [(UInt8(ascii: "H"), HandshakeFailure.Code.notTLS), (0x16, .connectionClosed)])
    func aFirstByteIsJudgedAtTheEnd(byte: UInt8, code: HandshakeFailure.Code) async throws {
        let script = LabScript(on: .firstBytes, bytes: [byte], end: .close)
        try await LabServer.run(.script(script), pki: LabPKI(epoch: .now)) { server in
            let report = try await run(server.endpoint, within: .seconds(1800))
            #expect(report.failure?.code == code)
            #expect(report.sniSent == "filled after 0 bytes")
        }
    }
}
