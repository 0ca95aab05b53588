import Foundation
import ProbeKit
import ProbePlatform
import ProbeTestSupport
import Synchronization
import Testing

@testable import ProbeNet

/// A connection that the peer resets before something is sent on it: the reason is the reset, or what the peer sent before.
@Suite(.bounded) struct FailedWriteTests {
    /// Sends a message, and another one when the first record comes, with which it is complete if it awaits a refusal. The
    /// second record is an alert.
    private final class TwoMessageEngine: HandshakeEngine {
        let mayBeRefusedLate: Bool
        private let interrupt: () -> Void
        private var output: [UInt8] = [22, 3, 1, 0, 1, 1]
        private var received = 0

        /// - Parameter interrupt: called before the second message is sent.
        init(mayBeRefusedLate: Bool, interrupt: @escaping () -> Void) {
            self.mayBeRefusedLate = mayBeRefusedLate
            self.interrupt = interrupt
        }

        func receive(_ bytes: RawSpan) { received += 1 }

        func advance() -> HandshakeProgress {
            if received == 0 { return .needsInput }
            guard received == 1 else { return .failed(.refused(alert: .handshakeFailure, nil)) }
            interrupt()
            output = [22, 3, 3, 0, 1, 20]
            return mayBeRefusedLate ? .complete : .needsInput
        }

        func takeOutput() -> [UInt8] {
            defer { output = [] }
            return output
        }

        func decrypt() -> DecryptedBytes {
            DecryptedBytes([], end: received > 1 ? RecordFailure("refused", alert: .certificateRequired) : nil)
        }

        func fill(_ report: inout HandshakeReport) -> TrustDecision? { nil }
        func encrypt(_ plaintext: RawSpan) throws(RecordFailure) {}
    }

    private static let alert: [UInt8] = [21, 3, 3, 0, 2, 2, 40]

    @Test(
        arguments: [
            ([], false, .connectionReset), (alert, false, .alertReceived), ([], true, .connectionReset),
            (alert, true, .alertReceived),
        ] as [([UInt8], Bool, HandshakeFailure.Code)])
    func theReasonIsThePeers(bytes: [UInt8], isComplete: Bool, code: HandshakeFailure.Code) async throws {
        let peer = try ResettingPeer()
        let request = HandshakeRequest(
            endpoint: Endpoint(host: .ip(.loopback4), port: peer.port), serverName: .dns("good.test"),
            anchors: .none, instant: .now, deadline: .after(.seconds(1800)))
        let report = await HandshakeLimits.$refusalPatience.withValue(.seconds(600)) {
            await HandshakeDriver.run(request) { _ in
                peer.accept(sending: [22, 3, 3, 0, 1, 2])
                return TwoMessageEngine(mayBeRefusedLate: isComplete) { peer.reset(sending: bytes) }
            }
        }
        let failure = try #require(report.failure)
        #expect(failure.code == code && failure.isAfterHandshake == isComplete, "\(failure)")
    }
}

/// A port of 127.0.0.1 for one connection, which waits in the backlog until it is accepted.
private final class ResettingPeer: Sendable {
    private struct NoSocket: Error {}

    let port: UInt16
    private let listener: CInt
    private let connection = Mutex<CInt>(-1)

    init() throws {
        let listener = socket(AF_INET, Platform.stream, 0)
        guard listener >= 0 else { throw NoSocket() }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                unsafe bind(listener, $0, size) == 0 && listen(listener, 8) == 0
                    && getsockname(listener, $0, &size) == 0
            }
        }
        guard isBound else {
            close(listener)
            throw NoSocket()
        }
        port = UInt16(bigEndian: address.sin_port)
        self.listener = listener
    }

    deinit { close(listener) }

    /// Takes the connection, and sends bytes on it.
    func accept(sending bytes: [UInt8]) {
        let accepted = ProbePlatform.accept(listener, nil, nil)
        connection.withLock { $0 = accepted }
        Self.send(bytes, on: accepted)
    }

    /// Sends bytes, and resets the connection.
    func reset(sending bytes: [UInt8]) {
        let accepted = connection.withLock { $0 }
        Self.send(bytes, on: accepted)
        // Without a time to linger, close() resets (socket(7)).
        var abrupt = linger(l_onoff: 1, l_linger: 0)
        unsafe setsockopt(accepted, SOL_SOCKET, SO_LINGER, &abrupt, socklen_t(MemoryLayout<linger>.size))
        close(accepted)
    }

    private static func send(_ bytes: [UInt8], on connection: CInt) {
        _ = unsafe bytes.withUnsafeBytes {
            unsafe ProbePlatform.send(connection, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
        }
    }
}
