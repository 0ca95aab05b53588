import ProbeConformance
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Synchronization
import Testing

/// The search for differences, on backends with planted faults and on the real ones.
@Suite(.bounded, .timeLimit(.minutes(30))) struct ExplorationTests {
    private static func isPlanted(_ rules: [String]) -> Bool {
        rules.contains { $0.hasPrefix("leaf/names-wildcard-") } && rules.contains { $0.hasPrefix("ask/") }
    }

    /// Answers of a reference that accepts, and of a backend with two faults: one in a rule alone, one in two together.
    @Sendable private static func answers(_ chain: ExploredChain) -> ExploredAnswers {
        let isWrong = chain.rules.contains("leaf/names-zero-byte") || isPlanted(chain.rules)
        return ExploredAnswers(
            reference: ExploredAnswer("accepted"),
            backends: [
                ("wrong", isWrong ? ExploredAnswer("refused", cause: "other") : ExploredAnswer("accepted")),
                ("right", ExploredAnswer("accepted")), ("absent", nil),
            ])
    }

    @Test("a planted fault is found, and nothing but what makes it is named") func plantedFault() async throws {
        let report = await Exploration<ExploredChain>(seed: 3) { Self.answers($0) }.run(examples: 12_000)
        #expect(report.examples == 12_000)
        let single = try #require(report.kinds.first { $0.rules == ["leaf/names-zero-byte"] })
        #expect(single.example.shape == "direct" && single.count > 1)
        #expect(single.differences == [ExploredDifference(backend: "wrong", answer: "refused", cause: "other")])
        let pairs = report.kinds.filter { $0.rules != ["leaf/names-zero-byte"] }
        #expect(!pairs.isEmpty)
        for kind in pairs { #expect(kind.rules.count == 2 && Self.isPlanted(kind.rules), "\(kind.rules)") }
        let again = await Exploration<ExploredChain>(seed: 3, width: 3) { Self.answers($0) }.run(examples: 12_000)
        #expect(again.kinds.map(\.rules) == report.kinds.map(\.rules))
        #expect(again.kinds.map(\.count) == report.kinds.map(\.count))
    }

    @Test("a backend that hangs is a find, and the search goes on") func hang() async throws {
        let report = await Exploration<ExploredChain>(seed: 3) { chain in
            ExploredAnswers(
                reference: ExploredAnswer("accepted"),
                backends: [("stuck", chain.rules.contains("chain/leaf-twice") ? .hung : ExploredAnswer("accepted"))])
        }.run(examples: 4000)
        #expect(report.examples == 4000)
        #expect(
            !report.kinds.isEmpty && report.kinds.allSatisfy { $0.isFault && $0.rules.contains("chain/leaf-twice") })
    }

    @Test("the search ends when it is told to") func endsInTime() async {
        let asked = Mutex(0)
        let report = await Exploration<ExploredChain>(seed: 3) { chain in
            asked.withLock { $0 += 1 }
            return Self.answers(chain)
        }.run(examples: nil, while: { asked.withLock { $0 < 100 } })
        #expect((100...120).contains(report.examples))
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
}
