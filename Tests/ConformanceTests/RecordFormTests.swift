import ProbeConformance
import ProbeKit
import ProbeTestSupport
import Testing

/// Every type of record, whole and malformed, in every section, through every resolver.
@Suite(.bounded, .timeLimit(.minutes(30))) struct RecordFormTests {
    @Test(arguments: ResolverUnderTest.all)
    func aReplyComesToTheSameWithEveryResolver(_ subject: ResolverUnderTest) async throws {
        #expect(try await RecordForms.failures(with: subject.resolver) == [])
    }

    /// Else nothing would be compared.
    @Test func bothKindsAreThere() {
        let refused = RecordForms.all.filter { $0.expected == .dnsIndeterminate }
        #expect(RecordForms.all.count > 1000 && refused.count > 500 && RecordForms.all.count - refused.count > 400)
        for type in ["hinfo", "naptr", "spf", "nsec3", "tlsa", "caa", "loc", "svcb", "zonemd", "amtrelay"] {
            let own = RecordForms.all.filter { $0.description.hasPrefix("\(type)-") }
            #expect(own.filter { $0.description.hasPrefix("\(type)-whole-") }.map(\.expected) == [.pass, .pass, .pass])
            #expect(own.contains { $0.expected == .dnsIndeterminate }, "\(type)")
        }
        let tsig = RecordForms.all.filter { $0.description.hasPrefix("tsig-") }
        #expect(tsig.allSatisfy { $0.expected == .dnsIndeterminate } && !tsig.isEmpty)
    }
}
