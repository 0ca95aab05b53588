import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Synchronization
import Testing

/// Approvals that no scenario has: late ones, slow ones, and those that no caller waits for any more.
@Suite(.bounded) struct ExchangeEdgeTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    private func request(
        _ server: LabServer, within limit: Duration, isApproved: @escaping @Sendable (HandshakeReport) async -> Bool
    ) throws -> HandshakeRequest {
        let name = try ServerName("good.test")
        return HandshakeRequest(
            endpoint: server.endpoint, serverName: name, alpn: HTTPExchange.alpn, anchors: try Self.pki.anchors(),
            instant: Self.pki.epoch, deadline: .after(limit),
            exchange: HTTPExchange(with: Target(name: name), isApproved: isApproved))
    }

    private func serve(_ body: (LabServer) async throws -> Void) async throws {
        let recipe = LabTLSRecipe(.good, applicationProtocols: HTTPExchange.alpn, service: .http(LabHTTPRecipe()))
        try await LabServer.run(.tls(recipe), pki: Self.pki, body: body)
    }

    /// The approval gets the whole report: chain, trust, timings, and no failure.
    @Test(arguments: BackendsUnderTest.transports)
    func theReportIsJudgedAsItWillBe(_ transport: TransportUnderTest) async throws {
        let transport = try transport.get()
        try await serve { server in
            let asked = Mutex<[HandshakeReport]>([])
            let report = await transport.handshake(
                try request(server, within: .seconds(1800)) { report in
                    asked.withLock { $0.append(report) }
                    return true
                })
            let questions = asked.withLock { $0 }
            let question = try #require(questions.first)
            #expect(questions.count == 1)
            #expect(question.http == nil && report.http?.response?.status == 200)
            #expect(question.failure == nil && report.failure == nil)
            #expect(question.chain == report.chain && question.keys == report.keys && !report.chain.isEmpty)
            #expect(question.nativeTrust == report.nativeTrust && report.nativeTrust?.isAccepted == true)
            #expect(question.version == report.version && question.alpn == report.alpn && report.alpn == "h2")
            #expect(question.cipherSuite == report.cipherSuite && question.group == report.group)
            #expect(question.sniSent == report.sniSent && question.peerAddress == report.peerAddress)
            #expect(question.timings.connect != nil && question.timings.handshake != nil)
        }
    }

    @Test("[R108] an approval that comes too late sends nothing", arguments: BackendsUnderTest.transports)
    func lateApprovalsSendNothing(_ transport: TransportUnderTest) async throws {
        let transport = try transport.get()
        try await serve { server in
            func handshake(within limit: Duration) async throws -> HandshakeReport {
                await transport.handshake(
                    try request(server, within: limit) { _ in
                        try? await Task.sleep(for: limit * 3)
                        return true
                    })
            }
            // A busy machine may need more than a moment for the handshake.
            var limit = Duration.milliseconds(300)
            var report = try await handshake(within: limit)
            while [.connectTimeout, .handshakeTimeout].contains(report.failure?.code), limit < .seconds(60) {
                limit *= 4
                report = try await handshake(within: limit)
            }
            #expect(report.failure == nil)
            #expect(report.nativeTrust?.isAccepted == true)
            #expect(report.http == HTTPReport(.unavailable(reason: HTTPExchange.lateness)))
            while server.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
            #expect(server.applicationBytes == 0)
        }
    }

    /// A slow one blocks no other.
    @Test(arguments: BackendsUnderTest.transports)
    func slowApprovalsHoldUpNobody(_ transport: TransportUnderTest) async throws {
        let transport = try transport.get()
        try await serve { server in
            let flags = Flags()
            async let slow = transport.handshake(
                try request(server, within: .seconds(20)) { _ in
                    flags.isWaiting = true
                    while !flags.shouldContinue, !Task.isCancelled { try? await Task.sleep(for: .milliseconds(5)) }
                    return true
                })
            while !flags.isWaiting { try await Task.sleep(for: .milliseconds(5)) }
            let quick = await transport.handshake(try request(server, within: .seconds(1800)) { _ in true })
            #expect(quick.http?.response?.status == 200)
            flags.shouldContinue = true
            #expect(try await slow.http?.response?.status == 200)
        }
    }

    @Test("[R108] nobody waits for a cancelled approval", arguments: BackendsUnderTest.transports)
    func cancelledApprovalsSendNothing(_ transport: TransportUnderTest) async throws {
        let transport = try transport.get()
        try await serve { server in
            let flags = Flags()
            let request = try request(server, within: .seconds(60)) { _ in
                flags.isWaiting = true
                try? await Task.sleep(for: .seconds(60))
                return false
            }
            let task = Task { await transport.handshake(request) }
            while !flags.isWaiting { try await Task.sleep(for: .milliseconds(5)) }
            task.cancel()
            #expect(await task.value.http == nil)
            while server.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
            #expect(server.applicationBytes == 0)
        }
    }

    private final class Flags: Sendable {
        private let state = Mutex((isWaiting: false, shouldContinue: false))

        var isWaiting: Bool {
            get { state.withLock(\.isWaiting) }
            set { state.withLock { $0.isWaiting = newValue } }
        }

        var shouldContinue: Bool {
            get { state.withLock(\.shouldContinue) }
            set { state.withLock { $0.shouldContinue = newValue } }
        }
    }
}
