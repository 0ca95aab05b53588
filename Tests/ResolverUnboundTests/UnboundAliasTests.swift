import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeTestSupport
import ResolverUnbound
import Testing

/// libunbound asks for the target of an alias itself, and hides what its server remarks about it. The server's own reply
/// decides where libunbound comes to something else (decided: dns-answers).
@Suite(.bounded) struct UnboundAliasTests {
    /// Returns the report on a name, and what the strict reader makes of it, from a server with this reply about the name
    /// and that one about `list.test`.
    private func ask(_ reply: LabDNSMessage, _ end: LabDNSMessage) async throws -> (
        report: DNSReport, reading: TXTReading
    ) {
        let (name, target) = (try DNSName("models.test"), try DNSName("list.test"))
        return try await LabDNSServer.run(LabDNSZone([name: .reply(reply), target: .reply(end)])) { server in
            let query = DNSQuery(name: name, servers: [server.endpoint], tries: 1, deadline: .after(.seconds(1800)))
            let report = await UnboundResolver().resolve(query)
            return (report, TXTReader.read(report, name: name))
        }
    }

    /// Returns a reply with an alias of `list.test`, and the list `dc` behind it.
    private static func whole() throws -> LabDNSMessage {
        let target = try DNSName("list.test")
        return LabDNSMessage(answers: [.cname(target), .txt("dc", owner: target)])
    }

    @Test(arguments: [(LabDNSMessage(responseCode: .nameError), String?.none), (LabDNSMessage(), "absence-unproven")])
    func anAliasWithoutAListDecides(end: LabDNSMessage, code: String?) async throws {
        let target = try DNSName("list.test")
        let alias = end.with { $0.answers = [.cname(target)] }
        let forged = LabDNSMessage(answers: [.txt("florida")]).with { $0.options = .records([.opt(extendedError: 4)]) }
        let (report, reading) = try await ask(alias, forged)
        switch reading {
        case .absent: #expect(code == nil)
        case .indeterminate(let doubt): #expect(doubt.code == code)
        case .records: Issue.record("libunbound's own answer decides: \(report)")
        }
    }

    /// The target may have another list, or none, when it is asked itself.
    @Test(arguments: [
        LabDNSMessage(answers: [.txt("dc,florida")]), LabDNSMessage(answers: [.txt("dc"), .txt("florida")]),
        LabDNSMessage(responseCode: .nameError),
    ])
    func aListBehindAnAliasCountsAsItCame(end: LabDNSMessage) async throws {
        let (report, reading) = try await ask(try Self.whole(), end)
        let list = TXTRecord(owner: try DNSName("list.test"), ttl: 3600, strings: [Array("dc".utf8)])
        #expect(reading == .records([list]), "\(report)")
        #expect(report.attempts.last?.channel == .udp)
    }

    /// The same list is libunbound's to read, whatever its TTL.
    @Test func theSameListBehindAnAliasIsLibunbounds() async throws {
        let (report, reading) = try await ask(
            try Self.whole(), LabDNSMessage(answers: [.txt("dc").with { $0.ttl = 7 }]))
        #expect(report.attempts.last?.channel == .unknown, "\(report)")
        #expect(!reading.isIndeterminate)
    }
}
