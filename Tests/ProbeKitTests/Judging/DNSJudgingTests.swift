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

    /// RFC 2308 section 2.2: the SOA record is that of a zone the name is in, of our class, and in the authority section.
    @Test func onlyTheNamesOwnZoneProvesItsAbsence() throws {
        for zone in ["models.test", "test"] {
            let soa = LabDNSRecord.soa(zone: try DNSName(zone))
            #expect(try LabReply.read(LabDNSMessage(authorities: [soa])) == .absent(.noData), "\(zone)")
        }
        let own = LabDNSRecord.soa(zone: try DNSName("models.test"))
        let proofs: [LabDNSMessage] = [
            LabDNSMessage(authorities: [.soa(zone: try DNSName("example"))]),
            LabDNSMessage(authorities: [.soa(zone: try DNSName("other.test"))]),
            LabDNSMessage(authorities: [.soa(zone: try DNSName("a.models.test"))]),
            LabDNSMessage(authorities: [own.with { $0.recordClass = 3 }]), LabDNSMessage(),
        ]
        for message in proofs { #expect(try Self.code(message) == "absence-unproven") }
        #expect(try Self.code(LabDNSMessage(answers: [own])) == "foreign-answer")
        let referral = LabDNSRecord(owner: try DNSName("test"), type: 2, data: try DNSName("ns.test").wireBytes)
        #expect(try Self.code(LabDNSMessage(authorities: [referral])) == "referral")
    }

    private static func code(_ message: LabDNSMessage) throws -> String? {
        guard case .indeterminate(let doubt) = try LabReply.read(message) else { return nil }
        return doubt.code
    }
}
