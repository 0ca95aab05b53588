import ProbeConformance
import ProbeKit
import ProbeLab
import ProbeTestSupport
import ResolverLDNS
import Testing

@Suite(.bounded, .timeLimit(.minutes(5))) struct ResolverConformanceTests {
    @Test(arguments: DNSScenario.all)
    func ldnsKeeps(_ scenario: DNSScenario) async throws {
        let result = try await scenario.run(with: LDNSResolver())
        #expect(result.failure == nil)
    }

    @Test func idsAreUnique() {
        #expect(Set(DNSScenario.all.map(\.id)).count == DNSScenario.all.count)
    }
}
