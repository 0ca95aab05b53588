import Foundation
import NIOCore
import NIOPosix
import ProbeKit
import ProbeNet
import ProbePlatform
import ProbeTestSupport
import Testing

/// A loop that is late, because others' work came first.
@Suite(.bounded) struct LateLoopTests {
    /// Is complete with the peer's first bytes.
    private final class QuickEngine: HandshakeEngine {
        private var isDone = false
        private var output: [UInt8] = [0x16, 0x03, 0x01, 0x00, 0x01, 0x01]

        func receive(_ bytes: RawSpan) { isDone = true }
        func advance() -> HandshakeProgress { isDone ? .complete : .needsInput }
        func takeOutput() -> [UInt8] {
            defer { output = [] }
            return output
        }
        func fill(_ report: inout HandshakeReport) -> TrustDecision? { nil }
        func decrypt() -> DecryptedBytes { DecryptedBytes([]) }
        func encrypt(_ plaintext: RawSpan) throws(RecordFailure) {}
    }

    /// The peer's bytes were there long before the deadline, and the loop was elsewhere until after it; then it has a
    /// heap of other work to do first. On a machine too busy to connect in time it gets more.
    @Test(arguments: [0, 20]) func whatTheKernelHadByTheDeadlineCounts(tasks: Int) async throws {
        for patience in [2, 8, 32, 128] {
            let failure = try await lateFailure(tasks: tasks, patience: .seconds(patience))
            guard failure?.code == .connectTimeout else {
                #expect(failure == nil)
                return
            }
        }
        Issue.record("the machine is too busy")
    }

    private func lateFailure(tasks: Int, patience: Duration) async throws -> HandshakeFailure? {
        let peer = try SpeakingPeer()
        let hasSpoken = peer.hasSpoken
        let request = HandshakeRequest(
            endpoint: Endpoint(host: .ip(.loopback4), port: peer.port), serverName: try ServerName("good.test"),
            anchors: .none, instant: .now, deadline: .after(patience))
        for loop in MultiThreadedEventLoopGroup.singleton.makeIterator() {
            for _ in 0..<tasks {
                loop.scheduleTask(in: TimeAmount(patience)) { Thread.sleep(forTimeInterval: 0.002) }
            }
        }
        let report = await HandshakeDriver.run(request) { _ in
            hasSpoken.wait()
            while request.deadline.remaining > .zero { Thread.sleep(forTimeInterval: 0.01) }
            return QuickEngine()
        }
        withExtendedLifetime(peer) {}
        return report.failure
    }
}

/// Greets one client with a record as soon as it is there, on a thread of its own.
private final class SpeakingPeer {
    let port: UInt16
    /// Signalled once the record is written.
    let hasSpoken = DispatchSemaphore(value: 0)
    private let listener: CInt

    init() throws {
        let listener = socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
            unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                unsafe bind(listener, pointer, size) == 0 && listen(listener, 1) == 0
                    && getsockname(listener, pointer, &size) == 0
            }
        }
        try #require(listener >= 0 && isBound)
        self.listener = listener
        port = UInt16(bigEndian: address.sin_port)
        Thread.detachNewThread { [hasSpoken] in
            let client = accept(listener, nil, nil)
            let record: [UInt8] = [22, 3, 3, 0, 1, 1]
            _ = unsafe write(client, record, record.count)
            hasSpoken.signal()
            sleep(10)
            close(client)
        }
    }

    deinit { close(listener) }
}
