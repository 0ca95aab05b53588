import ProbeDNS
import ProbeKit
import ProbeLab
import Testing

@Suite struct ModelReadingTests {
    private static let florida: NativeDNSReading = .parsed(rcode: .noError, records: [[Array("florida".utf8)]])

    private func reading(_ message: LabDNSMessage, native: NativeDNSReading?) throws -> ModelReading {
        let attempt = DNSAttempt(
            server: "127.0.0.1:53", channel: .tcp, ednsSize: 1232, id: LabReply.id, reply: try LabReply.bytes(message),
            native: native, failure: nil, duration: .zero)
        return ModelReading(
            DNSReport(attempts: [attempt]), name: try LabReply.name(), model: try ModelName("florida"))
    }

    @Test func equalReadingsAgree() throws {
        #expect(try reading(LabDNSMessage(answers: [.txt("florida")]), native: Self.florida).outcome == .pass)
    }

    @Test(arguments: [
        NativeDNSReading.parsed(rcode: .noError, records: []),
        .parsed(rcode: .noError, records: [[Array("florid".utf8)]]),
        .parsed(rcode: .noError, records: [[Array("flor".utf8), Array("ida".utf8)]]),
        .parsed(rcode: .serverFailure, records: [[Array("florida".utf8)]]),
        .unreadable("no"),
    ])
    func differentReadingsAreAnOutcomeOfTheirOwn(_ native: NativeDNSReading) throws {
        #expect(try reading(LabDNSMessage(answers: [.txt("florida")]), native: native).outcome == .readingsDisagree)
    }

    /// A stack that was not given the reply counts against nothing; neither does it confirm the list.
    @Test func aStackThatWasNotAskedLeavesItOpen() throws {
        let one = try reading(LabDNSMessage(answers: [.txt("florida")]), native: .notAsked("it is long"))
        #expect(one.outcome == .dnsIndeterminate && "\(one)".contains("it is long"))
        let broken = LabDNSMessage(answers: [.txt("florida")]).with { $0.tail = [0] }
        guard case .indeterminate(let doubt) = try reading(broken, native: .notAsked("it is long")) else {
            Issue.record("it was read")
            return
        }
        #expect(doubt.code == "trailing-bytes")
    }

    @Test func noSecondReadingIsNone() throws {
        #expect(try reading(LabDNSMessage(answers: [.txt("florida")]), native: nil).outcome == .readingsDisagree)
    }

    @Test func recordsOfOthersAreComparedToo() throws {
        let answers: [LabDNSRecord] = [.txt("florida"), .txt("x", owner: try DNSName("other.test"))]
        let both: NativeDNSReading = .parsed(rcode: .noError, records: [[Array("x".utf8)], [Array("florida".utf8)]])
        #expect(try reading(LabDNSMessage(answers: answers), native: both).outcome == .pass)
        #expect(try reading(LabDNSMessage(answers: answers), native: Self.florida).outcome == .readingsDisagree)
    }

    /// c-ares reports class CH like IN; the others report only IN.
    @Test func otherClassesDoNotCount() throws {
        let chaos = LabDNSRecord.txt("x").with { $0.recordClass = 3 }
        let message = LabDNSMessage(answers: [.txt("florida"), chaos])
        let (florida, other) = ([Array("florida".utf8)], [Array("x".utf8)])
        #expect(try reading(message, native: Self.florida).outcome == .pass)
        #expect(try reading(message, native: .parsed(rcode: .noError, records: [other, florida])).outcome == .pass)
        for wrong in [[other], [florida, florida], [florida, other, other], []] {
            #expect(try reading(message, native: .parsed(rcode: .noError, records: wrong)).outcome == .readingsDisagree)
        }
    }

    @Test func beingStricterIsNoDisagreement() throws {
        let message = LabDNSMessage(answers: [.txt("florida")]).with { $0.tail = [0] }
        #expect(try reading(message, native: Self.florida).outcome == .dnsIndeterminate)
    }

    @Test func aRecordThatOnlyTheStackSeesIsADisagreement() throws {
        let message = LabDNSMessage(responseCode: .nameError)
        #expect(try reading(message, native: .parsed(rcode: .nameError, records: [])).outcome == .modelAbsent)
        let seen: NativeDNSReading = .parsed(rcode: .nameError, records: [[Array("florida".utf8)]])
        #expect(try reading(message, native: seen).outcome == .readingsDisagree)
    }
}
