import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// `probe models --authoritative`: the servers of the zone, found through the server that is given.
@Suite(.bounded) struct AuthoritativeCommandTests {
    /// A zone whose one name server is the server itself.
    ///
    /// - Parameter losesOne: true if it has another one, about whose address the server answers with a failure.
    private static func zone(isAuthoritative: Bool = true, losesOne: Bool = false) throws -> LabDNSZone {
        let (apex, server, lost) = (
            try DNSName("zone.test"), try DNSName("ns.zone.test"), try DNSName("lost.zone.test")
        )
        let servers = LabDNSMessage(answers: [.ns(server)] + (losesOne ? [.ns(lost)] : []))
        var list = LabDNSMessage(answers: [.txt("dc,florida")])
        list.isAuthoritative = isAuthoritative
        return LabDNSZone([
            apex: .reply(servers), lost: .reply(LabDNSMessage(responseCode: .serverFailure)),
            server: .answer(LabDNSRecord(type: 1, data: [127, 0, 0, 1])),
            try DNSName("list.zone.test"): .reply(list),
        ])
    }

    private func ask(
        _ zone: LabDNSZone, through resolver: String = "ldns", _ arguments: [String]
    ) async throws -> Probe.Outcome {
        try await LabDNSServer.run(zone) { server in
            try await Probe.run(
                [
                    "models", "--authoritative", "--dns-server", "\(server.endpoint)", "--name-server-port",
                    "\(server.endpoint.port)", "--timeout", "60", "--resolver", resolver,
                ] + arguments)
        }
    }

    @Test func eachServerHasItsLine() async throws {
        let schema = try Schema.load("probe-1.schema.json")
        let outcome = try await ask(try Self.zone(), ["list.zone.test", "--model", "florida", "--format", "json"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.lines.map { $0["target"] as? String } == ["list.zone.test at ns.zone.test (127.0.0.1)"])
        for line in outcome.lines { #expect(schema.violations(in: line) == []) }
        let text = try await ask(try Self.zone(), ["list.zone.test", "--model", "houston"])
        #expect(text.code == 13)
        #expect(text.output.contains("list.zone.test at ns.zone.test (127.0.0.1)"), "\(text.output)")
    }

    /// The others are asked all the same, and a failure of theirs outranks it.
    @Test(arguments: [("florida", Int32(21), "pass"), ("houston", 13, "model-not-listed")])
    func oneThatIsNotFoundHasALine(model: String, code: Int32, outcome: String) async throws {
        let run = try await ask(
            try Self.zone(losesOne: true), ["list.zone.test", "--model", model, "--format", "json"])
        #expect(run.code == code, "\(run.output)\(run.errors)")
        #expect(
            run.lines.map { $0["target"] as? String } == [
                "list.zone.test at ns.zone.test (127.0.0.1)", "list.zone.test at lost.zone.test",
            ])
        #expect(run.lines.map { $0["outcome"] as? String } == [outcome, "dns-indeterminate"])
        #expect(run.output.contains("SERVFAIL"), "\(run.output)")
    }

    /// libunbound hides the server's reply, and the exchange beside it does not.
    @Test(arguments: ["ldns", "unbound"], [true, false])
    func anAnswerWithoutAuthorityIsAWarning(resolver: String, isAuthoritative: Bool) async throws {
        let outcome = try await ask(
            try Self.zone(isAuthoritative: isAuthoritative), through: resolver,
            ["list.zone.test", "--model", "florida", "--format", "json"])
        #expect(outcome.code == 0, "\(outcome.errors)")
        #expect(outcome.output.contains("\"not-authoritative\"") == !isAuthoritative, "\(outcome.output)")
    }

    /// The reason is a line like any other, so that a script sees it.
    @Test func aZoneThatIsNotFoundHasNoVerdict() async throws {
        let outcome = try await ask(
            LabDNSZone(.reply(LabDNSMessage(responseCode: .nameError))), ["list.zone.test", "--format", "json"])
        #expect(outcome.code == 21, "\(outcome.errors)")
        #expect(outcome.lines.map { $0["outcome"] as? String } == ["dns-indeterminate"])
        #expect(outcome.output.contains("no zone above list.zone.test has a name server"), "\(outcome.output)")
    }
}
