import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Synchronization
import Testing

@testable import ProbeConformance

/// The search for differences, on backends with planted faults and on the real ones.
@Suite(.bounded) struct ExplorationTests {
    /// Answers of a reference that accepts, and of a backend with two faults: rules that it gets wrong alone, and two
    /// families that it gets wrong together.
    @Sendable private static func answers(_ chain: ExploredChain) -> ExploredAnswers {
        func has(_ prefix: String) -> Bool { chain.rules.contains { $0.hasPrefix(prefix) } }
        let isWrong = has("leaf/ends-") || has("leaf/names-") && has("issuer/")
        return ExploredAnswers(
            reference: ExploredAnswer("accepted"),
            backends: [
                ("wrong", isWrong ? ExploredAnswer("refused", cause: "other") : ExploredAnswer("accepted")),
                ("right", ExploredAnswer("accepted")), ("absent", nil),
            ])
    }

    @Test("a planted fault is found, and nothing but what makes it is named") func plantedFault() async throws {
        let report = await Exploration<ExploredChain>(seed: 3) { Self.answers($0) }.run(examples: 1500)
        #expect(report.examples == 1500)
        let singles = report.kinds.filter { $0.rules.count == 1 }
        #expect(singles.count > 5)
        for kind in singles {
            #expect(kind.rules[0].hasPrefix("leaf/ends-") && kind.example.shape == "direct", "\(kind.rules)")
            #expect(kind.differences == [ExploredDifference(backend: "wrong", answer: "refused", cause: "other")])
        }
        let others = report.kinds.filter { $0.rules.count != 1 }
        #expect(others.count > 5)
        for kind in others {
            #expect(kind.rules.count == 2 && kind.rules[0].hasPrefix("issuer/"), "\(kind.rules)")
            // The simplest shape has no issuer to change.
            #expect(kind.rules[1].hasPrefix("leaf/names-") && kind.example.shape != "direct", "\(kind.rules)")
        }
        let again = await Exploration<ExploredChain>(seed: 3, width: 3) { Self.answers($0) }.run(examples: 1500)
        #expect(again.kinds.map(\.rules) == report.kinds.map(\.rules))
        #expect(again.kinds.map(\.count) == report.kinds.map(\.count))
    }

    @Test("a backend that hangs is a find, and the search goes on") func hang() async throws {
        @Sendable func isHard(_ rules: [String]) -> Bool { rules.contains { $0.hasPrefix("chain/") } }
        let report = await Exploration<ExploredChain>(seed: 3) { chain in
            ExploredAnswers(
                reference: ExploredAnswer("accepted"),
                backends: [("stuck", isHard(chain.rules) ? .hung : ExploredAnswer("accepted"))])
        }.run(examples: 600)
        #expect(report.examples == 600)
        #expect(!report.kinds.isEmpty && report.kinds.allSatisfy { $0.isFault && isHard($0.rules) })
        let anything = [KnownDifference(["shape/*"], "whatever differs")]
        #expect(report.kinds.allSatisfy { $0.known(in: anything) == nil })
    }

    @Test("a backend that gave no answer hung or crashed, by the reason and not by its native code") func noAnswer() {
        let hung = TrustReading.unanswered("late", nativeCode: "program-ended", silence: .programHung)
        #expect(ExploredAnswer(hung) == ExploredAnswer.hung.because("program-ended", "late"))
        for silence in [TrustReading.Silence.programFault, nil] {
            let crashed = TrustReading.unanswered("gone", nativeCode: "program-hung", silence: silence)
            #expect(ExploredAnswer(crashed) == ExploredAnswer.crashed.because("program-hung", "gone"))
        }
    }

    @Test("a fault has its own reason, and not the reference's cause") func reasonOfAFault() async throws {
        let crashed = ExploredAnswer.crashed.because("program-ended", "it ended with code 3")
        let report = await Exploration<ExploredChain>(seed: 3) { _ in
            ExploredAnswers(reference: ExploredAnswer("refused", cause: "expired"), backends: [("gone", crashed)])
        }.run(examples: 1)
        let kind = try #require(report.kinds.first)
        #expect(kind.differences == [ExploredDifference(backend: "gone", answer: "crashed", cause: nil)])
        #expect(report.text("chains", known: []).contains("gone crashed (program-ended)"))
        let line = try #require(report.lines("chain", known: []).first)
        #expect(line.contains(#""message":"it ended with code 3""#) && line.contains(#""nativeCode":"program-ended""#))
    }

    @Test("the search ends when it is stopped") func endsInTime() async {
        let asked = Mutex(0)
        let report = await Exploration<ExploredChain>(seed: 3) { chain in
            asked.withLock { $0 += 1 }
            return Self.answers(chain)
        }.run(examples: nil, while: { asked.withLock { $0 < 100 } })
        // Those that are asked to make a kind smaller count too.
        #expect((10...120).contains(report.examples) && asked.withLock { $0 < 200 })
    }

    @Test("whatever 200 chains show of the real backends is known") func realBackends() async throws {
        let panel = VerifierPanel(try BackendsUnderTest.transports.map { try $0.get() })
        let report = await Exploration<ExploredChain>(seed: 1) { await panel.ask($0) }.run(examples: 200)
        #expect(report.examples == 200 && report.differing > 20)
        for kind in report.kinds {
            #expect(
                kind.known(in: KnownDifference.chains) != nil,
                "\(kind.rules) of \(kind.example.shape): \(kind.answers.reference), \(kind.differences)")
        }
        #expect(report.text("chains", known: KnownDifference.chains).contains("seed 1: 200 chains"))
    }

    /// A stack of the build that began to accept forged chains would be one of these too.
    @Test("what a verifier that accepts everything shows is new", arguments: ["wrong", "openssl", "gnutls"])
    func acceptsEverything(name: String) async throws {
        let real = try BackendsUnderTest.transports[0].get()
        let panel = VerifierPanel([WrongTransport.trustingEverything(real, name: name)])
        let report = await Exploration<ExploredChain>(seed: 3) { await panel.ask($0) }.run(examples: 150)
        let new = report.kinds.filter { $0.known(in: KnownDifference.chains) == nil }
        #expect(report.kinds.count > 50)
        let forged = report.kinds.filter { $0.answers.reference.cause == TrustCause.badSignature.rawValue }
        #expect(!forged.isEmpty && forged.allSatisfy { $0.known(in: KnownDifference.chains) == nil })
        let late = report.kinds.filter { $0.answers.reference.cause == TrustCause.expired.rawValue }
        #expect(!late.isEmpty && late.allSatisfy { $0.known(in: KnownDifference.chains) == nil })
        // Nobody has measured a stack of another name.
        #expect(name == "wrong" ? new.count == report.kinds.count : new.count > forged.count)
    }

    @Test("a reason holds for the stacks and the causes that it was measured with") func measuredReasons() throws {
        func isKnown(_ rules: [String], _ backend: String, _ answer: String, reference: ExploredAnswer) -> Bool {
            let answers = ExploredAnswers(reference: reference, backends: [(backend, ExploredAnswer(answer))])
            let kind = ExploredKind<ExploredChain>(
                rules: rules, differences: answers.differences.sorted(), count: 1, first: 0,
                example: ExploredChain(seed: 1, number: 0), answers: answers)
            return kind.known(in: KnownDifference.chains) != nil
        }
        let malformed = ExploredAnswer("refused", cause: "malformed")
        let valid = ExploredAnswer("accepted")
        #expect(isKnown(["leaf/ends-second-60"], "gnutls", "accepted", reference: malformed))
        #expect(!isKnown(["leaf/ends-second-60"], "openssl", "accepted", reference: malformed))
        #expect(!isKnown(["issuer/ends-utc-50"], "gnutls", "accepted", reference: .init("refused", cause: "expired")))
        let forged = ExploredAnswer("refused", cause: "bad-signature")
        #expect(!isKnown(["leaf/signature-flipped"], "gnutls", "accepted", reference: forged))
        #expect(isKnown(["root/subject-not-utf8"], "nio", "refused", reference: valid))
        #expect(!isKnown(["root/subject-not-utf8"], "go-tls", "refused", reference: valid))
    }

    @Test("whatever 600 replies show of the real resolvers is known") func realResolvers() async throws {
        let report = try await ResolverPanel.run(ResolverUnderTest.all.map(\.resolver)) { panel in
            await Exploration<ExploredReply>(seed: 1) { await panel.ask($0) }.run(examples: 600)
        }
        #expect(report.examples == 600 && report.differing > 5)
        for kind in report.kinds {
            #expect(
                kind.known(in: KnownDifference.replies) != nil,
                "\(kind.rules) of \(kind.example.shape): \(kind.answers.reference), \(kind.differences)")
        }
    }

    /// A resolver that reads another list out of some replies, and one that never answers.
    @Test("a resolver's planted faults are found") func plantedResolver() async throws {
        let honest = try #require(ResolverUnderTest.all.first { $0.resolver.identity.name == "ldns" }).resolver
        let report = try await ResolverPanel.run([FaultyResolver(honest)]) { panel in
            await Exploration<ExploredReply>(seed: 1) { await panel.ask($0) }.run(examples: 300)
        }
        #expect(!report.kinds.isEmpty && report.kinds.allSatisfy { $0.known(in: KnownDifference.replies) == nil })
        #expect(report.kinds.allSatisfy { $0.answers.reference.answer == "model-not-listed" })
        #expect(report.kinds.contains { $0.differences.map(\.answer) == ["model-absent"] })
    }
}

/// Reports another list as absent.
private struct FaultyResolver: Resolver {
    private let resolver: any Resolver

    init(_ resolver: any Resolver) { self.resolver = resolver }

    var identity: BackendIdentity { resolver.identity }
    var capabilities: Set<ResolverCapability> { resolver.capabilities }

    func resolve(_ query: DNSQuery) async -> DNSReport {
        let report = await resolver.resolve(query)
        guard case .notListed = ModelReading(report, name: query.name, model: try? ModelName("florida")) else {
            return report
        }
        let nothing = LabDNSMessage(authorities: [.soa(zone: query.name)])
        let bytes = DNSQueryMessage.bytes(name: query.name, id: 0, ednsSize: nil)
        let reply = LabDNSQuery(bytes, over: .tcp, from: 53).map { nothing.wireBytes(to: $0) } ?? []
        let attempt = DNSAttempt(
            server: "faulty", channel: .tcp, ednsSize: nil, id: 0, reply: reply,
            native: .parsed(rcode: .noError, records: []),
            failure: nil, duration: .zero)
        return DNSReport(attempts: [attempt])
    }
}
