import Foundation
import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeNet
import ProbeRun
import ProbeTestSupport
import ResolverLDNS
import ResolverUnbound
import Testing

/// The name servers of a zone, found through a real one, and the comparison of the lists that they publish.
@Suite(.bounded) struct NameServersTests {
    private static let host = "simple.models.test"

    /// The name servers of a name, each with its outcome and the codes of its warnings.
    private func ask(
        _ name: String, through server: Endpoint, _ resolvers: [any Resolver] = [LDNSResolver()]
    ) async throws -> (found: NameServers, results: [[ProbeResult]]) {
        let name = try DNSName(name)
        let found = try await NameServers.find(
            of: name, through: RecordLookup(at: [server]), port: server.port, by: .after(.seconds(1800)))
        let results = await Prober().probe(
            ModelCheck(model: try ModelName("florida"), hosts: [name], servers: [server]),
            at: found.servers.map { ("\($0)", $0.endpoint) }, through: resolvers, timeout: .seconds(60))
        return (found, results)
    }

    private func warnings(_ results: [ProbeResult]) -> [String] {
        results.flatMap { $0.verdict.findings.filter { $0.severity == .warning }.map(\.code) }
    }

    @Test(.needs(.nsd)) func theZoneIsFoundFromTheNameUpwards() async throws {
        try await DNSPartner.nsd.run { server in
            for name in [Self.host, "a.b.c.models.test", "models.test"] {
                let (found, results) = try await ask(name, through: server)
                #expect("\(found.zone)" == "models.test")
                #expect(found.servers.map(\.endpoint) == [server], "\(found)")
                #expect(results.map(warnings) == [[]], "\(name)")
            }
        }
    }

    @Test(.needs(.nsd), .needs(.knot), arguments: [("dc,florida", true), ("dc,tampa", false)])
    func eachServerOfTheZoneIsAskedAndCompared(list: String, isAlike: Bool) async throws {
        func zone(_ list: String) -> String {
            """
            $ORIGIN models.test.
            $TTL 60
            @ SOA ns1 hostmaster 1 3600 600 86400 60
            @ NS ns1
            @ NS ns2
            ns1 A 127.0.0.1
            ns2 A 127.0.0.2
            simple TXT "\(list)"

            """
        }
        try await DNSPartner.runTwo((zone("florida,dc"), zone(list))) { server in
            let resolvers = ResolverUnderTest.askingServers.map(\.resolver)
            let (found, results) = try await ask(Self.host, through: server, resolvers)
            let names = found.servers.map { "\($0)" }
            #expect(names == ["ns1.models.test (127.0.0.1)", "ns2.models.test (127.0.0.2)"])
            let outcomes: [Outcome] = [isAlike ? .pass : .passWithWarnings, isAlike ? .pass : .modelNotListed]
            for (index, each) in results.enumerated() {
                #expect(each.map(\.subject) == resolvers.map { _ in "\(Self.host) at \(names[index])" })
                #expect(each.map(\.verdict.outcome) == resolvers.map { _ in outcomes[index] })
                #expect(warnings(each) == (isAlike ? [] : resolvers.map { _ in "name-servers-differ" }))
            }
        }
    }

    /// One that can't be found is that server's result, and the others are asked and compared.
    @Test(.needs(.nsd), .needs(.knot)) func aNameServerThatIsNotFoundIsOneOfThem() async throws {
        func zone(_ list: String) -> String {
            """
            $ORIGIN models.test.
            $TTL 60
            @ SOA ns1 hostmaster 1 3600 600 86400 60
            @ NS ns.elsewhere.example.
            @ NS ns1
            @ NS ns2
            ns1 A 127.0.0.1
            ns2 A 127.0.0.2
            simple TXT "\(list)"

            """
        }
        try await DNSPartner.runTwo((zone("florida"), zone("tampa"))) { server in
            let (found, results) = try await ask(Self.host, through: server)
            // A real server refuses what is outside its zones.
            #expect(found.lost.map { "\($0.name)" } == ["ns.elsewhere.example"])
            let lost = try #require(found.lost.first)
            #expect(lost.failure.message.contains("REFUSED"), "\(lost.failure)")
            #expect(found.servers.map { "\($0.name)" } == ["ns1.models.test", "ns2.models.test"])
            #expect(results.map { $0.map(\.verdict.outcome) } == [[.passWithWarnings], [.modelNotListed]])
            #expect(results.map(warnings) == [["name-servers-differ"], ["name-servers-differ"]])
            let judged = Prober().probe(
                ModelCheck(model: try ModelName("florida"), hosts: [try DNSName(Self.host)], servers: [server]),
                failing: lost.failure, at: "\(lost.name)", through: [LDNSResolver()])
            #expect(judged.map(\.verdict.outcome) == [.dnsIndeterminate])
            #expect(judged.map(\.subject) == ["\(Self.host) at ns.elsewhere.example"])
        }
    }

    /// No other server answers in place of the one that was asked.
    @Test(arguments: [ResolverUnderTest(resolver: LDNSResolver()), ResolverUnderTest(resolver: UnboundResolver())])
    func theFixIsForTheNameServer(_ subject: ResolverUnderTest) async throws {
        let alias = LabDNSMessage(answers: [.cname(try DNSName("list.other"))])
        for (reply, words) in [
            (LabDNSMessage(responseCode: .refused), "serve the zone on it"), (alias, "ask about list.other"),
        ] {
            try await LabDNSServer.run(LabDNSZone(.reply(reply))) { server in
                let check = ModelCheck(
                    model: try ModelName("florida"), hosts: [try DNSName(Self.host)], servers: [server.endpoint])
                let results = await Prober().probe(
                    check, at: [("ns.models.test", server.endpoint)], through: [subject.resolver], timeout: .seconds(60)
                )
                let finding = try #require(results.first?.first?.verdict.findings.first)
                #expect(finding.outcome == .dnsIndeterminate && finding.fix.hasPrefix(words), "\(finding)")
            }
        }
    }

    @Test func aNameWithoutAZoneIsAnError() async throws {
        try await LabDNSServer.run(LabDNSZone(.reply(LabDNSMessage(responseCode: .nameError)))) { server in
            _ = await #expect(throws: DNSFailure.self) {
                _ = try await NameServers.find(
                    of: try DNSName("a.models.test"), through: RecordLookup(at: [server.endpoint]),
                    by: .after(.seconds(1800)))
            }
        }
    }
}
