import Foundation
import ProbeKit
import ProbeLab
import ProbeNet
import ProbeTestSupport
import Synchronization
import Testing

/// The exchange alone, over an engine whose handshake is complete at once and whose records are plaintext.
@Suite(.bounded) struct OpenConnectionTests {
    private final class Counter: Sendable {
        private let count = Atomic(0)

        var value: Int { count.load(ordering: .acquiring) }

        func add(_ number: Int) { count.add(number, ordering: .acquiringAndReleasing) }
    }

    /// Counts the bytes to encrypt.
    private final class PlainEngine: HandshakeEngine {
        private var received: [UInt8] = []
        private var output: [UInt8] = []
        private let alpn: String?
        private let said: @Sendable (Int) -> Void

        init(alpn: String?, said: @escaping @Sendable (Int) -> Void) {
            self.alpn = alpn
            self.said = said
        }

        func receive(_ bytes: RawSpan) { unsafe bytes.withUnsafeBytes { unsafe received.append(contentsOf: $0) } }
        func advance() -> HandshakeProgress { .complete }
        var mayBeRefusedLate: Bool { false }

        func takeOutput() -> [UInt8] {
            defer { output = [] }
            return output
        }

        func fill(_ report: inout HandshakeReport) -> TrustDecision? {
            report.alpn = alpn
            return { .accepted(path: []) }
        }

        func decrypt() -> DecryptedBytes {
            defer { received = [] }
            return DecryptedBytes(received)
        }

        func encrypt(_ plaintext: RawSpan) throws(RecordFailure) {
            said(plaintext.byteCount)
            unsafe plaintext.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
        }
    }

    /// Returns the result, and the number of bytes sent.
    private func run(
        _ endpoint: Endpoint, path: String = "/", alpn: String? = nil, within limit: Duration = .seconds(1800),
        isApproved: @escaping @Sendable (HandshakeReport) async -> Bool
    ) async throws -> (report: HandshakeReport, said: Int) {
        let target = Target(name: try ServerName("good.test"))
        let request = HandshakeRequest(
            endpoint: endpoint, serverName: target.name, anchors: .none, instant: .now, deadline: .after(limit),
            exchange: HTTPExchange(with: target, path: path, isApproved: isApproved))
        let counter = Counter()
        let report = await HandshakeDriver.run(request) { _ in
            PlainEngine(alpn: alpn) { counter.add($0) }
        }
        return (report, counter.value)
    }

    private static let answer = Array("HTTP/1.1 200 OK\r\nDate: today\r\nAge: 1\r\nAge: 2\r\n\r\n".utf8)

    private func serve<Value>(_ script: LabScript, _ body: (LabServer) async throws -> Value) async throws -> Value {
        try await LabServer.run(.script(script), pki: LabPKI(epoch: .now), body: body)
    }

    @Test func theResponseIsReported() async throws {
        try await serve(LabScript(on: .firstBytes, bytes: Self.answer)) { server in
            let (report, _) = try await run(server.endpoint) { report in
                report.nativeTrust?.isAccepted == true && report.http == nil && report.timings.handshake != nil
            }
            #expect(report.failure == nil)
            #expect(
                report.http?.response
                    == HTTPReport.Response(version: "http/1.1", status: 200, date: ["today"], age: ["1", "2"]))
        }
    }

    @Test("[R108] without approval nothing is said") func nothingIsSaidUnapproved() async throws {
        try await serve(LabScript(on: .firstBytes, bytes: Self.answer)) { server in
            for alpn in [nil, "http/1.1", "h2"] {
                let (report, said) = try await run(server.endpoint, alpn: alpn) { _ in false }
                #expect(report.failure == nil)
                #expect(report.nativeTrust?.isAccepted == true)
                #expect(report.http == nil)
                #expect(said == 0)
            }
            while server.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
    }

    @Test(
        arguments: [("/ HTTP/1.1\r\nX: y", nil), ("", nil), ("*", nil), ("/ä", "h2"), ("/", "mqtt")]
            as [(String, String?)])
    func whatCanNotBeAskedIsNot(path: String, alpn: String?) async throws {
        try await serve(LabScript(on: .firstBytes, bytes: Self.answer)) { server in
            let (report, said) = try await run(server.endpoint, path: path, alpn: alpn) { _ in true }
            #expect(report.failure == nil)
            #expect(report.http != nil && report.http?.response == nil)
            #expect(said == 0)
        }
    }

    /// An approval that comes too late finds a connection that is closed.
    @Test func theDeadlineHoldsWhileItIsApproved() async throws {
        try await serve(LabScript(on: .firstBytes, bytes: Self.answer)) { server in
            var said = 0
            let report = try await connected { limit in
                let accepted = server.acceptedConnections
                let outcome = try await run(server.endpoint, within: limit) { _ in
                    while server.acceptedConnections == accepted, !Task.isCancelled {
                        try? await Task.sleep(for: .milliseconds(5))
                    }
                    while server.openConnections != 0, !Task.isCancelled {
                        try? await Task.sleep(for: .milliseconds(5))
                    }
                    return true
                }
                said += outcome.said
                return outcome.report
            }.report
            #expect(report.failure == nil)
            #expect(report.http == Self.tooLate)
            #expect(said == 0)
        }
    }

    /// The report of a request that was not sent.
    private static let tooLate = HTTPReport(.unavailable(reason: "the deadline passed before the request"))

    /// Runs within a short limit, and within longer ones while the machine is too busy to connect in that, or to ask.
    private func connected(
        asking: Bool = false, _ body: (Duration) async throws -> HandshakeReport
    ) async throws -> (report: HandshakeReport, limit: Duration, elapsed: Duration, turns: Duration) {
        var limit = Duration.milliseconds(300)
        while true {
            let (start, watch) = (ContinuousClock.now, Stopwatch())
            let report = try await body(limit)
            let isLate = report.failure?.code == .connectTimeout || (asking && report.http == Self.tooLate)
            if !isLate || limit > .seconds(60) {
                return (report, limit, start.duration(to: .now), watch.elapsed)
            }
            limit *= 4
        }
    }

    @Test(arguments: [nil, "h2"]) func theDeadlineHoldsWhileItIsAnswered(alpn: String?) async throws {
        try await serve(LabScript(on: .firstBytes)) { server in
            let (report, limit, elapsed, turns) = try await connected(asking: true) { limit in
                try await run(server.endpoint, alpn: alpn, within: limit) { _ in true }.report
            }
            #expect(report.failure == nil)
            #expect(report.http == HTTPReport(.unavailable(reason: "no response before the deadline")))
            #expect(elapsed >= limit)
            #expect(turns < limit + .seconds(5))
        }
    }

    @Test func aPeerThatLeavesMeanwhileIsNoFailure() async throws {
        try await serve(LabScript(on: .accept, bytes: [0x0a], end: .close)) { server in
            let (report, _) = try await run(server.endpoint) { _ in
                try? await Task.sleep(for: .milliseconds(100))
                return true
            }
            #expect(report.failure == nil)
            #expect(report.http != nil && report.http?.response == nil)
        }
    }

    @Test(arguments: [nil, "h2"]) func aPeerThatLeavesWithoutAnAnswerIsReported(alpn: String?) async throws {
        try await serve(LabScript(on: .firstBytes, end: .close)) { server in
            let (report, _) = try await run(server.endpoint, alpn: alpn, within: .seconds(30)) { _ in true }
            #expect(report.failure == nil)
            #expect(
                report.http == HTTPReport(.unavailable(reason: "the peer closed the connection without a response")))
        }
    }

    @Test(arguments: [nil, "h2"]) func cancellationEndsTheWait(alpn: String?) async throws {
        try await serve(LabScript(on: .firstBytes)) { server in
            let endpoint = server.endpoint
            let counter = Counter()
            let task = Task {
                try await run(endpoint, alpn: alpn, within: .seconds(60)) { _ in
                    counter.add(1)
                    return true
                }
            }
            while counter.value == 0 { try await Task.sleep(for: .milliseconds(5)) }
            task.cancel()
            let report = try await task.value.report
            #expect(report.failure == nil)
            #expect(report.http == HTTPReport(.unavailable(reason: "the probe was cancelled")))
            while server.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
        }
    }
}
