import Foundation
import ProbeKit
import ProbeLab
import Testing

/// Requests that a caller can make and no scenario does.
@Suite struct TransportEdgeTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    private func question(anchors: TrustAnchors, at instant: Date) throws -> TrustQuestion {
        TrustQuestion(
            chain: try Self.pki.identity(.good).chain, anchors: anchors, name: try ServerName("good.test"),
            instant: instant)
    }

    private func request(_ endpoint: Endpoint, alpn: [String] = [], at instant: Date) throws -> HandshakeRequest {
        HandshakeRequest(
            endpoint: endpoint, serverName: try ServerName("good.test"), alpn: alpn,
            anchors: try Self.pki.anchors(), instant: instant, deadline: .after(.seconds(1800)))
    }

    @Test(arguments: BackendsUnderTest.transports, [Double.nan, .infinity, -.infinity, 1e300])
    func anInstantNoClockShowsIsRefused(_ transport: TransportUnderTest, _ seconds: Double) async throws {
        let question = try question(
            anchors: try Self.pki.anchors(), at: Date(timeIntervalSince1970: seconds))
        #expect(!(try await transport.get().evaluateTrust(question).problems.isEmpty))
    }

    @Test(arguments: BackendsUnderTest.transports, [Double.nan, .infinity, -.infinity, 1e300])
    func anInstantNoClockShowsIsRefusedInHandshakes(_ transport: TransportUnderTest, _ seconds: Double) async throws {
        let transport = try transport.get()
        try await LabServer.run(.tls(LabTLSRecipe(.good)), pki: Self.pki) { server in
            let report = await transport.handshake(
                try request(server.endpoint, at: Date(timeIntervalSince1970: seconds)))
            #expect(report.failure == nil && report.nativeTrust?.problems.isEmpty == false)
        }
    }

    /// RFC 7301 section 3.1: a protocol's name has 1 to 255 bytes.
    @Test(arguments: BackendsUnderTest.transports, ["", String(repeating: "h", count: 256)])
    func anALPNNameThatCanNotBeWrittenIsRefused(_ transport: TransportUnderTest, _ name: String) async throws {
        let transport = try transport.get()
        try await LabServer.run(.silent, pki: Self.pki) { server in
            let report = await transport.handshake(
                try request(server.endpoint, alpn: ["h2", name], at: Self.pki.epoch))
            #expect(report.failure?.code == .unsupported)
        }
    }

    @Test(arguments: BackendsUnderTest.transports)
    func aMalformedCertificateIsReportedWithItsDepth(_ transport: TransportUnderTest) async throws {
        let good = try question(anchors: try Self.pki.anchors(), at: Self.pki.epoch)
        let broken = TrustQuestion(
            chain: good.chain + [Array("no certificate".utf8)], anchors: good.anchors, name: good.name,
            instant: good.instant)
        let problems = try await transport.get().evaluateTrust(broken).problems
        #expect(problems.map(\.cause) == [.malformed])
        #expect(problems.map(\.depth) == [good.chain.count])
    }

    @Test(arguments: BackendsUnderTest.transports.filter { $0.testDescription != "curl" })
    func anchorsThatCanNotBeReadAreCounted(_ transport: TransportUnderTest) async throws {
        let anchors = TrustAnchors(name: "broken", certificates: [Array("no certificate".utf8), [1]])
        let reading = try await transport.get().evaluateTrust(question(anchors: anchors, at: Self.pki.epoch))
        let problem = try #require(reading.problems.first { $0.cause == .unknownIssuer })
        #expect(problem.message.contains("2 of the anchors could not be read"))
    }

    @Test func aFarDeadlineIsADayAway() {
        #expect(Deadline.after(.seconds(Int64.max)).remaining == .seconds(86_400))
    }
}
