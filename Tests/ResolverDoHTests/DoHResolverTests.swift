import Foundation
import ProbeConformance
import ProbeKit
import ProbeLab
import ProbeTestSupport
import ResolverDoH
import Testing

@Suite(.bounded, .timeLimit(.minutes(5))) struct DoHResolverTests {
    private static let resolver = Result { try DoHResolver() }

    @Test(arguments: DNSScenario.all.filter { (try? resolver.get()).map($0.isAsked) ?? true })
    func keeps(_ scenario: DNSScenario) async throws {
        let result = try await scenario.run(with: Self.resolver.get())
        #expect(result.failure == nil)
    }
}
