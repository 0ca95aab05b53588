import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeReport
import ProbeRun
import ProbeTestSupport
import Testing

/// The walk over several names that publish one list: an answer about the model is final, for or against it; a missing
/// answer leads to the next name.
@Suite(.bounded) struct ModelWalkTests {
    /// The names of the walk; each is named for its answer.
    private static let behaviours: [String: LabDNSBehaviour] = [
        "listed": .answer(.txt("dc,florida")),
        "other": .answer(.txt("dc,tampa")),
        "absent": .reply(LabDNSMessage(responseCode: .nameError)),
        "broken": .reply(LabDNSMessage(responseCode: .serverFailure)),
    ]

    /// The list is longer than what ldns is given without a look at it.
    @Test("a reply is parsed once, for the walk, the policy and the report", arguments: ResolverUnderTest.askingServers)
    func aReplyIsParsedOnce(subject: ResolverUnderTest) async throws {
        let texts = (0..<16).map { LabDNSRecord.txt("florida\($0)" + String(repeating: "x", count: 70)) }
        let zone = LabDNSZone(.reply(LabDNSMessage(answers: texts + [.txt("florida")])))
        try await LabDNSServer.run(zone) { server in
            let check = ModelCheck(
                model: try ModelName("florida"), hosts: [try DNSName("models.test")], servers: [server.endpoint])
            let counter = WorkCounter()
            try await counter.count {
                let results = await Prober().probe(
                    check, subject: "models", through: [subject.resolver], timeout: .seconds(1800))
                let result = try #require(results.first)
                #expect(result.verdict.outcome.isPass, "\(result.verdict.findings)")
                #expect(ReportLine(result).json.contains("florida15"))
                let attempts = try #require(result.evidence.model?.answers.first?.report.attempts)
                for reply in attempts.compactMap(\.reply) {
                    #expect(counter[.dnsMessage(reply)] == 1)
                    #expect(counter[.dnsOpening(reply)] <= 1, "the filter may have parsed it on another thread")
                }
            }
        }
    }

    @Test("a silent name leaves time for the next", arguments: ResolverUnderTest.askingServers)
    func silenceLeavesTime(subject: ResolverUnderTest) async throws {
        let (silent, listed) = (try DNSName("silent.models.test"), try DNSName("listed.models.test"))
        let zone = LabDNSZone([silent: .silence, listed: .answer(.txt("dc,florida"))])
        try await LabDNSServer.run(zone) { server in
            let check = ModelCheck(
                model: try ModelName("florida"), hosts: [silent, listed], servers: [server.endpoint], tries: 1)
            let results = await Prober().probe(
                check, subject: "models", through: [subject.resolver], timeout: .seconds(6))
            #expect(results.map(\.verdict.outcome) == [.pass], "\(results.map(\.verdict.findings))")
        }
    }

    /// The names in order, the outcome, and how many of them are asked.
    private static let walks: [([String], Outcome, Int)] = [
        (["broken", "listed", "other"], .pass, 2), (["other", "listed"], .modelNotListed, 1),
        (["listed", "other"], .pass, 1), (["absent", "listed"], .pass, 2),
        (["absent", "other"], .modelNotListed, 2), (["broken", "broken"], .dnsIndeterminate, 2),
        (["absent", "absent"], .modelAbsent, 2), (["absent", "broken"], .dnsIndeterminate, 2),
        (["broken", "absent"], .dnsIndeterminate, 2),
    ]

    @Test("[R17, R105] the first answer about the model is final", arguments: ResolverUnderTest.askingServers, walks)
    func theFirstAnswerAboutTheModelIsFinal(
        subject: ResolverUnderTest, walk: (hosts: [String], outcome: Outcome, asked: Int)
    ) async throws {
        var zone: [DNSName: LabDNSBehaviour] = [:]
        var hosts: [DNSName] = []
        for (index, label) in walk.hosts.enumerated() {
            let name = try DNSName("\(label)\(index).models.test")
            zone[name] = Self.behaviours[label]
            hosts.append(name)
        }
        try await LabDNSServer.run(LabDNSZone(zone)) { server in
            let check = ModelCheck(
                model: try ModelName("florida"), hosts: hosts, servers: [server.endpoint], tries: 1)
            let evidence = await Prober().observe(check, through: subject.resolver, deadline: .after(.seconds(1800)))
            let verdict = Verdict(
                ModelListed(check).judge(Evidence(connection: nil, model: evidence), at: ProbeClock.system.now))
            #expect(verdict.outcome == walk.outcome, "\(verdict.findings)")
            let standsIn = walk.asked > 1 && [.pass, .modelNotListed].contains(walk.outcome)
            #expect(verdict.findings.contains { $0.code == "model-alternate-used" } == standsIn, "\(verdict.findings)")
            #expect(evidence?.answers.map(\.host) == Array(hosts.prefix(walk.asked)))
            #expect(
                Set(server.queries.map(\.name)) == Set(hosts.prefix(walk.asked)), "a name was asked that need not be")
        }
    }
}
