import Foundation
import ProbeConformance
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@Suite(.bounded, .timeLimit(.minutes(10))) struct TransportConformanceTests {
    static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    @Test(arguments: BackendsUnderTest.transports, TLSScenario.all)
    func keeps(_ transport: TransportUnderTest, _ scenario: TLSScenario) async throws {
        let result = try await scenario.run(through: transport.get(), pki: Self.pki)
        #expect(result.failure == nil)
    }

    /// Where a stack differs, it differs as it is written down.
    @Test(arguments: BackendsUnderTest.transports, TLSScenario.divergences)
    func differsAsKnown(_ transport: TransportUnderTest, _ scenario: TLSScenario) async throws {
        let result = try await scenario.run(through: transport.get(), pki: Self.pki)
        #expect(result.failure == nil)
    }

    @Test func everyCaseIsNamedOnceAndHasASource() {
        let all = TLSScenario.all + TLSScenario.divergences
        #expect(Set(all.map(\.id)).count == all.count)
        #expect(all.allSatisfy { $0.id.hasPrefix("tls/") && !$0.sentence.isEmpty && !$0.source.isEmpty })
        #expect(TLSScenario.all.count >= 90)
    }

    @Test func onlyDivergencesDeviateAndSayWhy() {
        #expect(TLSScenario.all.allSatisfy { $0.deviations.isEmpty })
        for scenario in TLSScenario.divergences {
            #expect(!scenario.deviations.isEmpty, "\(scenario.id)")
            #expect(scenario.deviations.values.allSatisfy { $0.outcome != scenario.expected && !$0.reason.isEmpty })
        }
    }
}
