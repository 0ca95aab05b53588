import ProbeConformance
import ProbeConformanceTesting
import ProbeKit
import ProbeLab
import ProbeNet
import ProbeTestSupport
import ResolverLDNS
import Testing

@Suite(.bounded) struct ResolverConformanceTests {
    /// As a backend's author tests it. ``ConformanceSuiteTests`` has the other backends in the same cases.
    @Test(arguments: ResolverUnderTest.all.prefix(1), ResolverRequirement.all)
    func resolver(_ subject: ResolverUnderTest, meets requirement: ResolverRequirement) async throws {
        try await requirement.verify(subject.resolver)
    }

    /// Tests the suite itself: it has to find the faults of a wrong resolver.
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

    @Test(arguments: [
        "dns/dnssec/tampered-in-require", "dns/dnssec/tampered-off-prefer", "dns/dnssec/expired-require",
        "dns/dnssec/not-yet-valid-require", "dns/dnssec/other-key-require", "dns/dnssec/stripped-prefer",
        "dns/dnssec/unsigned-remote-ad", "dns/dnssec/wildcard-unproven-require", "dns/dnssec/nodata-denied-require",
    ])
    func credulousValidatorBreaks(_ id: String) async throws {
        let scenario = try #require(DNSScenario.all.first { $0.id == id })
        let result = try await scenario.run(with: CredulousValidator())
        #expect(result.failure != nil)
    }

    @Test(
        .enabled(if: PartnerProcess.isInstalled("curl"), "curl is not installed"),
        arguments: [
            "dns/https/status-404", "dns/https/status-500", "dns/https/content-type-text", "dns/https/redirect",
            "dns/https/content-type-missing", "dns/https/body-length-too-big", "dns/https/wrong-id",
            "dns/https/query-echo", "dns/https/tls-unknown-issuer", "dns/https/tls-wrong-name",
            "dns/https/tls-expired", "dns/edns/format-error", "dns/codes/servfail-once",
        ])
    func credulousDoHResolverBreaks(_ id: String) async throws {
        let scenario = try #require(DNSScenario.all.first { $0.id == id })
        let result = try await scenario.run(with: CredulousDoHResolver())
        #expect(result.failure != nil)
    }

    @Test(
        .enabled(if: PartnerProcess.isInstalled("curl"), "curl is not installed"),
        arguments: ["dns/https/post", "dns/https/whole", "dns/lists/listed", "dns/lists/not-listed"])
    func credulousDoHResolverKeepsWhatIsPlain(_ id: String) async throws {
        let scenario = try #require(DNSScenario.all.first { $0.id == id })
        let result = try await scenario.run(with: CredulousDoHResolver())
        #expect(result.failure == nil)
    }

    @Test(arguments: ["dns/lists/listed", "dns/lists/not-listed", "dns/lists/joined"])
    func credulousResolverKeepsWhatIsPlain(_ id: String) async throws {
        let scenario = try #require(DNSScenario.all.first { $0.id == id })
        let result = try await scenario.run(with: CredulousResolver())
        #expect(result.failure == nil)
    }

    @Test(arguments: [
        "dns/lists/joined", "dns/lists/empty-between", "dns/transport/truncated", "dns/transport/small-size",
        "dns/edns/format-error", "dns/edns/not-implemented", "dns/codes/servfail-once", "dns/time/second-server",
    ])
    func borderlessResolverBreaks(_ id: String) async throws {
        let scenario = try #require(DNSScenario.all.first { $0.id == id })
        let result = try await scenario.run(with: BorderlessResolver())
        #expect(result.failure != nil)
    }

    /// The exemptions permitted for a resolver, whatever its stack does.
    @Test(arguments: DNSScenario.all.filter { !$0.exemptions.isEmpty })
    func exemptionsAreHarmless(_ scenario: DNSScenario) {
        for (backend, exemption) in scenario.exemptions {
            #expect(ResolverUnderTest.all.contains { $0.resolver.identity.name == backend })
            #expect(!exemption.outcomes.isEmpty && exemption.outcomes.isSubset(of: DNSScenario.Exemption.harmless))
            #expect(!exemption.reason.isEmpty)
            // An answer may be found where the promise gives up, never where it says no.
            let mayBeListed = [.pass, .dnsIndeterminate].contains(scenario.expected) && !scenario.isNeverListed
            #expect(mayBeListed || !exemption.outcomes.contains(.pass))
        }
    }

    @Test func aStaleExemptionIsFound() async throws {
        var scenario = try #require(DNSScenario.all.first { $0.id == "dns/lists/listed" })
        let exemption = DNSScenario.Exemption(outcomes: [.dnsIndeterminate], reason: "It used to fail.")
        scenario.exemptions = ["ldns": exemption]
        let result = try await scenario.run(with: LDNSResolver())
        #expect(result.failure?.contains("stale") == true)
    }

    @Test func anExemptionCoversNothingElse() async throws {
        var scenario = try #require(DNSScenario.all.first { $0.id == "dns/forgeries/query-echo" })
        let exemption = DNSScenario.Exemption(outcomes: [.dnsIndeterminate], reason: "It stops.")
        scenario.exemptions = ["credulous": exemption]
        let result = try await scenario.run(with: CredulousResolver())
        #expect(result.failure?.contains("Not allowed") == true)
    }

    @Test func idsAreUnique() {
        #expect(Set(DNSScenario.all.map(\.id)).count == DNSScenario.all.count)
    }
}
