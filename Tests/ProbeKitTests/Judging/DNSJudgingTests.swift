import ProbeKit
import ProbeLab
import Testing

/// Conditions of the DNS decoder that only a record of another class shows.
@Suite struct DNSJudgingTests {
    /// An alias of class CH is not of the requested class: the record at its end does not count.
    @Test func anAliasOfAnotherClassLeadsNowhere() throws {
        let target = try DNSName("list.models.test")
        let alias = LabDNSRecord(type: 5, recordClass: 3, data: target.wireBytes)
        let reading = try LabReply.read(LabDNSMessage(answers: [alias, .txt("dc", owner: target)]))
        guard case .indeterminate(let doubt) = reading else {
            Issue.record("read as \(reading)")
            return
        }
        #expect(doubt.code == "foreign-answer", "\(doubt)")
        // The alias of our class beside it is the one that counts.
        let both = try LabReply.read(LabDNSMessage(answers: [alias, .cname(target), .txt("dc", owner: target)]))
        guard case .records(let records) = both else {
            Issue.record("read as \(both)")
            return
        }
        #expect(records.map(\.owner) == [target])
    }
}
