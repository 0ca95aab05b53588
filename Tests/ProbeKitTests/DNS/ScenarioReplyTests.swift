import ProbeConformance
import ProbeDNS
import ProbeKit
import Testing

@testable import ProbeLab

/// The replies of the conformance suite, read without a resolver: what our reader alone makes of them.
@Suite struct ScenarioReplyTests {
    /// Those whose promise is about the content of one reply.
    private static let scenarios = DNSScenario.all.filter { scenario in
        guard scenario.servers.count == 1, scenario.dnssec == .off, case .any = scenario.medium else { return false }
        // That a list is stale is for the policy to say.
        return messages(of: scenario).count == 1 && scenario.exemptions.isEmpty
            && scenario.id != "dns/codes/extended-error-3"
    }

    private static func query() throws -> LabDNSQuery {
        let bytes = DNSQueryMessage.bytes(name: DNSScenario.name, id: LabReply.id, ednsSize: 1232)
        return try #require(LabDNSQuery(bytes, over: .tcp, from: 5300))
    }

    private static func messages(of scenario: DNSScenario) -> [LabDNSMessage] {
        guard let query = try? query() else { return [] }
        let behaviour = scenario.servers[0].zone.behaviour(for: DNSScenario.name)
        guard behaviour.first == nil, behaviour.withoutEDNS == nil, case .plain = behaviour.stream,
            behaviour.actions.count == 1, case .reply? = behaviour.actions.first
        else { return [] }
        return behaviour.messages(for: query)
    }

    @Test(arguments: scenarios) func theReaderKeepsThePromise(scenario: DNSScenario) throws {
        let message = try #require(Self.messages(of: scenario).first)
        let reading = TXTReader.read(
            message.wireBytes(to: try Self.query()), id: LabReply.id, name: DNSScenario.name)
        switch reading {
        case .records(let records):
            let list = ModelList(records: records, strings: scenario.strings)
            #expect(ModelReading(list, model: try ModelName(scenario.model)).outcome == scenario.expected)
        case .absent: #expect(scenario.expected == .modelAbsent)
        case .indeterminate(let doubt):
            #expect(scenario.expected == .dnsIndeterminate)
            if let code = scenario.expectedCode { #expect(doubt.code == code) }
        }
    }

    /// Else nothing would be read.
    @Test func thereAreAllOutcomes() {
        let outcomes = Dictionary(grouping: Self.scenarios, by: \.expected).mapValues(\.count)
        #expect(Self.scenarios.count > 80, "\(outcomes)")
        for outcome in [Outcome.pass, .modelNotListed, .modelAbsent, .dnsIndeterminate] {
            #expect(outcomes[outcome, default: 0] > 3, "\(outcome)")
        }
    }
}
