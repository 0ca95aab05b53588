import ProbeKit
import ProbeLab
import Testing

/// Proofs that a name has no record.
@Suite struct AbsenceProofTests {
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

    /// Aliases of both kinds and their signatures lead to the name that has nothing; records of another class do not.
    @Test func aliasesOnTheWayProveNothingByThemselves() throws {
        let target = try DNSName("list.other.test")
        let soa = LabDNSRecord.soa(zone: try DNSName("other.test"))
        let cname = LabDNSRecord.cname(target)
        let dname = LabDNSRecord(owner: try DNSName("test"), type: 39, data: try DNSName("other.test").wireBytes)
        let signature = LabDNSRecord(type: 46, data: [UInt8](repeating: 0, count: 30))
        for answers in [[cname], [dname, cname], [cname, signature], [cname, cname]] {
            #expect(try LabReply.read(LabDNSMessage(answers: answers, authorities: [soa])) == .absent(.noData))
        }
        for stray in [cname, dname, signature] {
            let message = LabDNSMessage(answers: [cname, stray.with { $0.recordClass = 3 }], authorities: [soa])
            #expect(try Self.code(message) == "foreign-answer")
        }
    }

    private static func code(_ message: LabDNSMessage) throws -> String? {
        guard case .indeterminate(let doubt) = try LabReply.read(message) else { return nil }
        return doubt.code
    }
}
