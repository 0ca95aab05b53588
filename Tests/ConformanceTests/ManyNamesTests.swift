import ProbeDNS
import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeRun
import ProbeTestSupport
import ResolverCAres
import ResolverLDNS
import Testing

/// Many names at one server: several queries share a socket, and each has its own answer.
@Suite(.bounded) struct ManyNamesTests {
    /// More than a datagram of the advertised size has room for.
    private static let long = LabDNSBehaviour.answer(
        .txt(
            (0..<7).map { Array("\($0)".utf8) + [UInt8](repeating: 0x78, count: 240) + [0x2c] } + [
                Array("florida".utf8)
            ]))

    /// Names whose servers behave in all ways that matter to an exchange.
    private func zone() throws -> LabDNSZone {
        LabDNSZone(
            [
                try DNSName("long.models.test"): Self.long,
                try DNSName("absent.models.test"): .reply(
                    LabDNSMessage(authorities: [.soa(zone: try DNSName("test"))], responseCode: .nameError)),
                try DNSName("refused.models.test"): .reply(LabDNSMessage(responseCode: .refused)),
                try DNSName("other.models.test"): .answer(.txt("dc,houston")),
            ], otherwise: .answer(.txt("dc,florida")))
    }

    private func queries(_ names: [DNSName], at server: Endpoint, tries: Int = 1) -> [DNSQuery] {
        let deadline = Deadline.after(.seconds(1800))
        return names.map { DNSQuery(name: $0, servers: [server], tries: tries, deadline: deadline) }
    }

    @Test func eachHasTheAnswerThatItHasAlone() async throws {
        let special = ["long", "absent", "refused", "other"].map { "\($0).models.test" }
        let names = try (special + (0..<150).map { "n\($0).models.test" }).map { text throws in try DNSName(text) }
        let model = try ModelName("florida")
        try await LabDNSServer.run(try zone()) { server in
            let asked = queries(names, at: server.endpoint)
            let many = await LDNSResolver().resolve(asked, atOnce: asked.count)
            #expect(many.count == names.count)
            var ports: Set<UInt16> = []
            for (name, report) in zip(names, many) {
                let alone = await LDNSResolver().resolve(queries([name], at: server.endpoint)[0])
                #expect(
                    ModelReading(report, name: name, model: model) == ModelReading(alone, name: name, model: model),
                    "\(name)")
            }
            for query in server.queries.prefix(names.count) { ports.insert(query.sourcePort) }
            // Three batches of at most 64; a port for each query would be 154.
            #expect(ports.count < 16, "\(ports.count)")
            #expect(Set(server.queries.map(\.id)).count > names.count)
        }
    }

    /// The first query has a forged reply alone, the next one has the right reply behind it. Each try has a second: they share the
    /// time up to a deadline that is far.
    @Test func aForgedReplyIsDroppedAndAsksAgain() async throws {
        let names = [try DNSName("forged.models.test"), try DNSName("a.models.test")]
        let right = LabDNSMessage(answers: [.txt("dc,florida")])
        let forged = right.with { $0.idOffset = 1 }
        let behaviour = LabDNSBehaviour([.reply(forged), .reply(right)]).with { $0.first = [.reply(forged)] }
        let zone = LabDNSZone([names[0]: behaviour], otherwise: .answer(.txt("dc,florida")))
        try await LabDNSServer.run(zone) { server in
            let reports = await LDNSResolver().resolve(
                queries(names, at: server.endpoint, tries: 1800), atOnce: 64)
            #expect(reports[0].attempts.dropLast().allSatisfy { $0.reply == nil })
            #expect(reports[0].attempts.count > 1, "the name is asked again by itself")
            #expect(reports[0].attempts.last?.dropped == ["wrong id"])
            #expect(reports[0].attempts.last?.reply != nil)
            // On a busy machine the answer may come too late, and be asked for again.
            #expect(reports[1].attempts.allSatisfy { $0.channel == .udp })
            #expect(reports[1].attempts.last?.reply != nil)
        }
    }

    private static let answer = LabDNSMessage(answers: [.txt("dc,florida")])
    /// Replies that decide nothing, and how often each of them is asked for in two rounds.
    private static let repeated: [(LabDNSMessage, Int)] = [
        (LabDNSMessage(responseCode: .refused), 1), (LabDNSMessage().with { $0.isAuthoritative = false }, 1),
        (LabDNSMessage(responseCode: .serverFailure), 2), (answer.with { $0.tail = [0] }, 2),
    ]

    /// A reply that ends a try does so in a batch too: nobody is asked more often than about one name alone.
    @Test(arguments: repeated)
    func aReplyInABatchIsATry(reply: LabDNSMessage, tries: Int) async throws {
        try await LabDNSServer.run(LabDNSZone(.reply(reply))) { server in
            let asked = queries([try DNSName("models.test")], at: server.endpoint, tries: 2)
            let alone = await LDNSResolver().resolve(asked[0])
            let many = await LDNSResolver().resolve(asked, atOnce: 64)
            #expect([alone.attempts.count, many[0].attempts.count] == [tries, tries])
            #expect(server.queries.count == 2 * tries)
        }
    }

    @Test func aRefusalInABatchLeadsToTheNextServer() async throws {
        try await LabDNSServer.run(LabDNSZone(.reply(LabDNSMessage(responseCode: .refused)))) { refusing in
            try await LabDNSServer.run(LabDNSZone(.reply(Self.answer))) { server in
                let name = try DNSName("models.test")
                let query = DNSQuery(
                    name: name, servers: [refusing, server].map(\.endpoint), deadline: .after(.seconds(1800)))
                let report = await LDNSResolver().resolve([query], atOnce: 64)[0]
                #expect(!TXTReader.read(report, name: name).isIndeterminate)
                #expect(refusing.queries.count == 1)
            }
        }
    }

    /// FORMERR without an OPT record (RFC 6891 section 7) does not end the try.
    @Test func aServerWithoutEDNSIsAskedWithoutItAfterABatch() async throws {
        let refusal = LabDNSMessage(responseCode: .formatError).with { $0.options = .none }
        let behaviour = LabDNSBehaviour.reply(refusal).with { $0.withoutEDNS = [.reply(Self.answer)] }
        try await LabDNSServer.run(LabDNSZone(behaviour)) { server in
            let name = try DNSName("models.test")
            let report = await LDNSResolver().resolve(queries([name], at: server.endpoint), atOnce: 64)[0]
            #expect(!TXTReader.read(report, name: name).isIndeterminate)
        }
    }

    @Test func nobodyListens() async throws {
        try await LabDNSServer.run(try zone(), listening: .nothing) { server in
            let names = try (0..<5).map { number throws in try DNSName("n\(number).models.test") }
            let reports = await LDNSResolver().resolve(queries(names, at: server.endpoint), atOnce: 64)
            #expect(reports.count == 5)
            #expect(reports.allSatisfy { $0.attempts.last?.failure?.code == .refused })
        }
    }

    @Test(arguments: [ResolverUnderTest(resolver: LDNSResolver()), ResolverUnderTest(resolver: CAresResolver())])
    func verdictsAreByName(_ resolver: ResolverUnderTest) async throws {
        try await LabDNSServer.run(try zone()) { server in
            let check = ModelCheck(model: try ModelName("florida"), hosts: [], servers: [server.endpoint])
            let names = try ["a", "other", "absent", "long"].map { text throws in try DNSName("\(text).models.test") }
            let results = await Prober().probe(
                check, names: names, through: resolver.resolver, timeout: .seconds(60))
            #expect(results.map(\.subject) == names.map(\.description))
            #expect(results.map(\.verdict.outcome) == [.pass, .modelNotListed, .modelAbsent, .pass])
        }
    }
}
