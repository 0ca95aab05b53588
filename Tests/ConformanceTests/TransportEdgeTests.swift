import Foundation
import ProbeKit
import ProbeLab
import Testing

/// What a caller may hand to a transport that no scenario does.
@Suite struct TransportEdgeTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    private func question(anchors: TrustAnchors, at instant: Date) throws -> TrustQuestion {
        TrustQuestion(
            chain: try Self.pki.identity(.good).chain, anchors: anchors, name: try ServerName("good.test"),
            instant: instant)
    }

    @Test(arguments: BackendsUnderTest.transports, [Double.nan, .infinity, -.infinity, 1e300])
    func anInstantNoClockShowsIsRefused(_ transport: TransportUnderTest, _ seconds: Double) async throws {
        let question = try question(
            anchors: try Self.pki.anchors(), at: Date(timeIntervalSince1970: seconds))
        #expect(!(try await transport.get().evaluateTrust(question).problems.isEmpty))
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
