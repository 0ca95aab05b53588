import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import ProbeTrust
import Testing

/// The server's bytes split at every offset: each handshake has a split at every 32nd, from another start.
@Suite(.bounded) struct SplitFlightTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))
    private static let piece = 32
    private static let width = 8

    @Test(arguments: BackendsUnderTest.transports, [TLSVersion.tls12, .tls13])
    func everySplitPasses(_ subject: TransportUnderTest, over version: TLSVersion) async throws {
        let transport = try subject.get()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for first in 1...Self.piece {
                if first > Self.width { try await group.next() }
                group.addTask {
                    let pace = LabPace(first: first, bytes: Self.piece, pause: .milliseconds(1))
                    let recipe = LabTLSRecipe(.good, versions: version...version, pace: pace)
                    let chain = try Self.pki.identity(.good).chain
                    try await LabServer.run(.tls(recipe), pki: Self.pki) { server in
                        let check = Check(
                            target: Target(name: try ServerName("good.test"), connect: server.endpoint),
                            anchors: try Self.pki.anchors(), timeout: .seconds(60))
                        let results = await Prober(clock: .fixed(Self.pki.epoch)).probe(
                            check, through: [transport], resolvers: [])
                        let result = try #require(results.first)
                        #expect(result.verdict.outcome == .pass, "\(first): \(result.verdict.findings.map(\.message))")
                        #expect(result.evidence.connection?.report.chain == chain)
                    }
                }
            }
            try await group.waitForAll()
        }
    }
}
