import ProbeConformance
import ProbeKit
import ProbeLab
import ProbeNet
import ProbeTestSupport
import ResolverLDNS
import Testing

@Suite(.bounded, .timeLimit(.minutes(5))) struct ResolverConformanceTests {
    @Test(arguments: DNSScenario.all)
    func ldnsKeeps(_ scenario: DNSScenario) async throws {
        let result = try await scenario.run(with: LDNSResolver())
        #expect(result.failure == nil)
    }

    /// The suite itself: what a wrong resolver breaks has to be found.
    @Test(arguments: [
        "dns/forgeries/wrong-id", "dns/forgeries/wrong-id-alone", "dns/forgeries/wrong-source",
        "dns/forgeries/wrong-source-alone", "dns/forgeries/query-echo", "dns/forgeries/query-echo-alone",
        "dns/transport/truncated", "dns/transport/partial", "dns/transport/partial-no-tcp",
        "dns/edns/format-error", "dns/codes/servfail-once", "dns/time/second-server",
    ])
    func credulousResolverBreaks(_ id: String) async throws {
        let scenario = try #require(DNSScenario.all.first { $0.id == id })
        let result = try await scenario.run(with: CredulousResolver())
        #expect(result.failure != nil)
    }

    @Test(arguments: ["dns/lists/listed", "dns/lists/not-listed", "dns/lists/joined"])
    func credulousResolverKeepsWhatIsPlain(_ id: String) async throws {
        let scenario = try #require(DNSScenario.all.first { $0.id == id })
        let result = try await scenario.run(with: CredulousResolver())
        #expect(result.failure == nil)
    }

    @Test func idsAreUnique() {
        #expect(Set(DNSScenario.all.map(\.id)).count == DNSScenario.all.count)
    }
}
