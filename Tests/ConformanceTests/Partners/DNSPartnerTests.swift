import Foundation
import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeTestSupport
import ResolverLDNS
import Testing

/// The resolvers against real name servers: a name has the same outcome with every server and every resolver.
@Suite(.bounded) struct DNSPartnerTests {
    @Test(.needs(.nsd)) func nsdIsReadAlike() async throws { try await check(.nsd) }
    @Test(.needs(.knot)) func knotIsReadAlike() async throws { try await check(.knot) }
    @Test(.needs(.knotWithoutUDP)) func knotWithoutUDPIsReadAlike() async throws { try await check(.knotWithoutUDP) }
    @Test(.needs(.bind)) func bindIsReadAlike() async throws { try await check(.bind) }
    @Test(.needs(.powerdns)) func powerdnsIsReadAlike() async throws { try await check(.powerdns) }
    @Test(.needs(.unbound)) func unboundIsReadAlike() async throws { try await check(.unbound) }
    @Test(.needs(.dnsdist)) func dnsdistIsReadAlike() async throws { try await check(.dnsdist) }

    /// BIND fills a truncated reply with as many records as fit: they must not count as the list.
    @Test(.needs(.bind)) func aPartOfTheRecordsIsNotTheList() async throws {
        let subjects = ResolverUnderTest.askingServers.filter { $0.resolver.capabilities.contains(.withoutEDNS) }
        try #require(!subjects.isEmpty)
        try await DNSPartner.bind.run { server in
            for subject in subjects {
                let (reading, report) = try await subject.ask("many.models.test", at: server, ednsSize: nil)
                #expect(reading.outcome == .passWithWarnings, "\(subject): \(reading)")
                #expect(report.attempts.map(\.channel) == [.udp, .tcp], "\(subject)")
                let first = try #require(report.attempts.first)
                let reply = try #require(first.reply)
                #expect(reply[2] & 0x02 != 0 && 1..<40 ~= Int(reply[6]) << 8 | Int(reply[7]), "TC and a few of 40")
                let alone = TXTReader.read(reply, id: first.id, name: try DNSName("many.models.test"))
                guard case .indeterminate(let doubt) = alone else {
                    Issue.record("\(subject): \(alone)")
                    continue
                }
                #expect(doubt.code == "truncated")
            }
        }
    }

    /// Unbound keeps an answer past its TTL if its upstream is gone, and reports that (RFC 8767, RFC 8914).
    @Test(.needs(.unbound)) func anAnswerThatUnboundKeptTooLongIsStale() async throws {
        let name = try DNSName("simple.models.test")
        let record = LabDNSRecord.txt("dc,florida").with { $0.ttl = 1 }
        let upstream = try await LabDNSServer.start(LabDNSZone([name: .answer(record)]))
        try await DNSPartner.unbound.run(inFrontOf: upstream.endpoint) { server in
            let (fresh, _) = try await ResolverUnderTest(resolver: LDNSResolver()).ask("\(name)", at: server)
            #expect(fresh.outcome == .pass, "\(fresh)")
            await upstream.stop()
            for subject in ResolverUnderTest.askingServers {
                var answer: ModelEvidence.Answer
                let end = ContinuousClock.now + .seconds(1500)
                repeat {
                    let (reading, report) = try await subject.ask("\(name)", at: server)
                    answer = ModelEvidence.Answer(host: name, report: report, reading: reading, duration: .zero)
                    try await Task.sleep(for: .milliseconds(100))
                } while answer.staleness == nil && .now < end
                #expect(answer.staleness?.code == 3 && answer.reading.outcome == .pass, "\(subject): \(answer.reading)")
            }
        }
        await upstream.stop()
    }

    @Test(arguments: DNSPartner.allCases)
    func nothingOfItIsLeft(_ partner: DNSPartner) async throws {
        if !partner.isInstalled { try skip(partner.remedy) }
        try await ScratchFolder.with { folder in
            // The shell becomes the server, so its number is that of the group.
            let file = "\(folder)/group"
            let port = try await partner.run(after: "sleep 300 & echo $$ >\(file)") { server in
                let group = try ProcessGroup(file: file)
                #expect(group.members.count > 1)
                return server.port
            }
            #expect(!LoopbackPort.answers(port))
            let group = try ProcessGroup(file: file)
            try await eventually { group.members.isEmpty }
        }
    }

    private func check(_ partner: DNSPartner) async throws {
        try await partner.run { server in
            for subject in ResolverUnderTest.askingServers {
                for (label, outcome) in DNSPartner.expectations where partner.doubts[label] == nil {
                    let (reading, _) = try await subject.ask("\(label).models.test", at: server)
                    #expect(reading.outcome == outcome, "\(subject), \(label): \(reading)")
                }
                try await checkDoubts(partner, server, subject)
                try await checkSizes(partner, server, subject)
            }
        }
    }

    private func checkDoubts(
        _ partner: DNSPartner, _ server: Endpoint, _ subject: ResolverUnderTest
    ) async throws {
        let within = partner.doubts.map { ("\($0).models.test", $1) }
        for (name, code) in within + [("elsewhere.example", "query-refused")] {
            let patience: Duration = code == "timeout" ? .seconds(1) : .seconds(1800)
            let (reading, _) = try await subject.ask(name, at: server, patience: patience)
            guard case .indeterminate(let doubt) = reading else {
                Issue.record("\(subject), \(name): \(reading)")
                continue
            }
            #expect(doubt.code == code, "\(subject), \(name)")
        }
    }

    private func checkSizes(
        _ partner: DNSPartner, _ server: Endpoint, _ subject: ResolverUnderTest
    ) async throws {
        for (label, size, fits) in DNSPartner.sizes {
            let (reading, report) = try await subject.ask("\(label).models.test", at: server)
            let list: ModelList
            switch reading {
            case .listed(let found), .listedInPart(let found): list = found
            default:
                Issue.record("\(subject), \(label): \(reading)")
                continue
            }
            let bytes = list.records.flatMap(\.strings).map(\.count).reduce(0, +)
            #expect(abs(bytes - size) < 12, "\(subject), \(label): \(bytes)")
            guard subject.showsExchanges else { continue }
            let isWhole = fits && partner != .knotWithoutUDP
            #expect(report.attempts.map(\.channel) == (isWhole ? [.udp] : [.udp, .tcp]), "\(subject), \(label)")
        }
    }
}
