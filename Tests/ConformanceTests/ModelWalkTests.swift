import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

/// The walk over several names that publish one list: an answer about the model is final, for or against it; a missing
/// answer leads to the next name.
@Suite(.bounded, .timeLimit(.minutes(30))) struct ModelWalkTests {
    /// The names of the walk; each is named for its answer.
    private static let behaviours: [String: LabDNSBehaviour] = [
        "listed": .answer(.txt("dc,florida")),
        "other": .answer(.txt("dc,tampa")),
        "absent": .reply(LabDNSMessage(responseCode: 3)),
        "broken": .reply(LabDNSMessage(responseCode: 2)),
    ]

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
            let evidence = await Prober().observe(check, through: subject.resolver, deadline: .after(.seconds(10)))
            let verdict = Verdict(
                ModelListed(check).judge(Evidence(connection: nil, model: evidence), at: ProbeClock.system.now))
            #expect(verdict.outcome == walk.outcome, "\(verdict.findings)")
            #expect(evidence?.answers.map(\.host) == Array(hosts.prefix(walk.asked)))
            #expect(
                Set(server.queries.map(\.name)) == Set(hosts.prefix(walk.asked)), "a name was asked that need not be")
        }
    }
}
