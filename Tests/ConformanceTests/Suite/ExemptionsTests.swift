import Foundation
import ProbeConformance
import ProbeConformanceTesting
import ProbeKit
import ProbeTestSupport
import Synchronization
import Testing

/// Exemptions that external backends state about themselves.
@Suite(.bounded) struct ExemptionsTests {
    private static let good = """
        {"schema":"probe-exemptions/1","backends":{"wrong":[
        {"case":"tls/trust/expired","outcomes":["stacks-disagree"],"code":null,"offlineTrust":"revoked","reason":"it trusts everything"},
        {"case":"dns/transport/partial","outcomes":["dns-indeterminate"],"code":"timeout","reason":"it waits"},
        {"case":"signature/content/altered","outcomes":["pass"],"reason":"it does not look"}]}}
        """

    private func read(_ text: String) async throws -> ConformanceExemptions {
        try await ScratchFolder.with { folder in
            try ScratchFolder.write(text, to: "\(folder)/exemptions.json")
            return try ConformanceExemptions.read("\(folder)/exemptions.json")
        }
    }

    @Test func aFileKeepsToItsSchemaAndIsRead() async throws {
        let schema = try Schema.load("probe-exemptions-1.schema.json")
        #expect(schema.violations(in: try JSONSerialization.jsonObject(with: Data(Self.good.utf8))) == [])
        #expect(schema.violations(in: ["schema": "probe-exemptions/2", "backends": ["x": [["case": 1]]]]).count == 4)
        let exemptions = try await read(Self.good)
        let exemption = try #require(exemptions.exemption(from: "tls/trust/expired", of: "wrong"))
        #expect(exemption.outcomes == [.stacksDisagree] && exemption.code == nil)
        #expect(exemption.reason == "it trusts everything" && exemption.offlineTrust == "revoked")
        #expect(exemptions.exemption(from: "tls/trust/expired", of: "openssl") == nil)
        let page = DivergencePage.markdown(with: exemptions)
        #expect(page.contains("| wrong | `stacks-disagree` | it trusts everything |"))
        #expect(page.contains("| wrong | `dns-indeterminate` | it waits |"))
        #expect(page.contains("| wrong | `valid` | it does not look |"))
    }

    @Test(arguments: [
        ("tls/trust/expired", "tls/trust/expird", "did you mean 'tls/trust/expired'? give the exact id"),
        ("stacks-disagree", "stacks-agree", "there is no outcome 'stacks-agree'"),
        (#"["stacks-disagree"]"#, #"["stacks-disagree","pass"]"#, "exactly one outcome"),
        ("stacks-disagree", "internal-error", "a backend that faults is never exempt"),
        ("dns-indeterminate", "model-not-listed", "write dns-indeterminate"),
        (#""revoked""#, #""fine""#, "'fine' is not the trust result of a TLS case"),
        (#"["pass"]"#, #"["pass"],"offlineTrust":"accepted""#, "for TLS cases only"),
        ("it waits", "  ", "for no reason"), (#""code":null"#, #""cod":null"#, "the key 'cod' is not known"),
        ("exemptions/1", "exemptions/2", "known is probe-exemptions/1"), (#""wrong":["#, #""gnutls":[7,"#, "'gnutls'"),
        ("dns/transport/partial", "tls/trust/expired", "exempted from tls/trust/expired twice"),
        ("tls/trust/expired", "tls/trust/expi\\u001b[2Jred", "expi\\u{1b}[2Jred"), (Self.good, "[", "JSON"),
    ])
    func whatIsWrongWithAFileIsSaid(_ text: String, _ wrong: String, _ words: String) async throws {
        let error = await #expect(throws: InputError.self) {
            _ = try await read(Self.good.replacing(text, with: wrong))
        }
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "")")
        #expect(error?.message.contains("exemptions.json: ") == true)
        #expect(error?.source == .file)
    }

    @Test func twoFilesMayNotSayTheSame() async throws {
        let exemptions = try await read(Self.good)
        #expect(throws: InputError.self) { try exemptions.merging(exemptions) }
        let other = try ConformanceExemptions(
            of: "other", ["tls/trust/expired": .init(.stacksDisagree, because: "it trusts everything")])
        #expect(try exemptions.merging(other).exemption(from: "tls/trust/expired", of: "other") != nil)
        #expect(throws: InputError.self) {
            try ConformanceExemptions(
                of: "openssl", ["tls/divergences/ends-now": .init(.stacksDisagree, because: "it is said already")])
        }
        try await ScratchFolder.with { folder in
            try ScratchFolder.write(String(repeating: " ", count: 1 << 20) + "{}", to: "\(folder)/large.json")
            #expect(throws: InputError.self) { try ConformanceExemptions.read("\(folder)/large.json") }
        }
    }

    /// A known difference of one backend does not count as one, hides no other backend's, and fails once it no longer
    /// exists.
    @Test func theSuiteHoldsABackendToItsExemptions() async throws {
        let real = try BackendsUnderTest.transports[0].get()
        let wrong = WrongTransport.trustingEverything(real)
        let exemptions = try ConformanceExemptions(
            of: "wrong", ["tls/trust/expired-anchor": .init(.stacksDisagree, because: "it trusts everything")])
        let known = await ConformanceSuite(
            transports: [real, wrong], resolvers: [], exemptions: exemptions, filter: "tls/trust/expired-anchor"
        ).run()
        #expect(known.isKept && known.differences.isEmpty, "\(known.failures)")
        #expect(known.cases.allSatisfy { !$0.isEqual && $0.isKnownToDiffer && !$0.isDifferent })
        #expect(known.matrix.contains("known difference"))

        let third = WrongTransport.trustingEverything(real, name: "third")
        let others = await ConformanceSuite(
            transports: [real, wrong, third], resolvers: [], exemptions: exemptions, filter: "tls/trust/expired-anchor"
        ).run()
        #expect(others.differences.map(\.id) == ["tls/trust/expired-anchor"])

        let truthful = WrongTransport(real)
        let stale = await ConformanceSuite(
            transports: [real, truthful], resolvers: [], exemptions: exemptions, filter: "tls/trust/expired-anchor"
        ).run()
        #expect(!stale.isKept)
        #expect(stale.failures.count == 1 && stale.failures.allSatisfy { $0.contains("stale") })
    }

    /// An exemption names its outcome, and covers nothing else.
    @Test(arguments: [
        (Outcome.pass, String?.none, String?.none), (.stacksDisagree, "something-else", nil),
        (.stacksDisagree, nil, "accepted"), (.stacksDisagree, nil, "expired"),
    ])
    func anotherOutcomeIsNotExempt(_ outcome: Outcome, _ code: String?, _ offline: String?) async throws {
        let exemptions = try ConformanceExemptions(
            of: "wrong",
            ["tls/trust/expired": .init(outcome, code: code, offlineTrust: offline, because: "it trusts everything")])
        let scenario = try #require(TLSScenario.all.first { $0.id == "tls/trust/expired" }).exempting(exemptions)
        let wrong = WrongTransport.trustingEverything(try BackendsUnderTest.transports[0].get())
        let cell = await scenario.cell(of: wrong, pki: .suite)
        #expect(cell.failure?.hasPrefix("tls/trust/expired exempts wrong") == true)
        #expect(cell.outcome == .stacksDisagree)
    }

    /// A promise that a backend is never asked for can't be broken.
    @Test func whatIsNeverAskedIsStale() async throws {
        let exemptions = try ConformanceExemptions(
            of: "mute", ["dns/lists/listed": .init(.dnsIndeterminate, because: "it says nothing")])
        let report = await ConformanceSuite(
            transports: [], resolvers: [MuteResolver()], exemptions: exemptions, filter: "dns/lists/listed"
        ).run()
        #expect(report.failures.count == 1 && report.failures.allSatisfy { $0.contains("stale") })
        #expect(await ConformanceSuite(transports: [], resolvers: [MuteResolver()]).run().isKept)
    }

    /// Time that the process lost is forgiven, but makes no slow backend quick.
    @Test func aBusyMachineMakesNoExemptionStale() async throws {
        let scenario = try #require(DNSScenario.all.first { $0.id == "dns/time/closed-port" })
        let resolver = CrowdedResolver()
        defer { for crowd in resolver.crowds.withLock({ $0 }) { crowd.goHome() } }
        let result = try await scenario.run(with: resolver)
        #expect(result.failure == nil)
        #expect(result.duration > .milliseconds(700))
    }
}

/// A resolver that takes long because other threads of the process take the processors, and has an exemption for being slow.
private final class CrowdedResolver: Resolver {
    let identity = BackendIdentity(name: "unbound", library: "none", version: "0")
    let capabilities: Set<ResolverCapability> = [.chosenServers]
    let crowds = Mutex<[Crowd]>([])

    func resolve(_ query: DNSQuery) async -> DNSReport {
        let (crowd, start) = (Crowd(), ContinuousClock.now)
        crowds.withLock { $0.append(crowd) }
        crowd.come(toWorkFor: .milliseconds(200))
        await crowd.isDone()
        try? await Task.sleep(until: start + .seconds(1))
        return DNSReport(attempts: [])
    }
}

/// A resolver that declares nothing.
private struct MuteResolver: Resolver {
    let identity = BackendIdentity(name: "mute", library: "none", version: "0")
    let capabilities: Set<ResolverCapability> = []

    func resolve(_ query: DNSQuery) async -> DNSReport { DNSReport(attempts: []) }
}
