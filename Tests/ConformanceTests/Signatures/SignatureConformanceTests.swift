import Foundation
import ProbeConformance
import ProbeKit
import ProbeLab
import Testing

@Suite(.timeLimit(.minutes(10))) struct SignatureConformanceTests {
    static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    @Test(
        "[R90, R92, R93, R94] the suite over every validator", arguments: ValidatorsUnderTest.all, SignatureScenario.all
    )
    func keeps(_ subject: ValidatorUnderTest, _ scenario: SignatureScenario) async throws {
        let result = try await scenario.run(with: subject.validator, pki: Self.pki)
        #expect(result.failure == nil)
        #expect(result.reading.outcome == result.expected)
    }

    @Test func everyCaseIsNamedOnceAndHasASource() {
        let all = SignatureScenario.all
        #expect(Set(all.map(\.id)).count == all.count)
        #expect(
            all.allSatisfy {
                $0.id.hasPrefix("signature/") && !$0.sentence.isEmpty && !$0.source.isEmpty && !$0.requirements.isEmpty
            })
        #expect(all.count >= 90)
        #expect(all.flatMap(\.deviations).allSatisfy { !$0.value.reason.isEmpty })
    }
}
