import ProbeKit
import ProbeTrust
import Testing

@testable import ProbeLab

/// The chains of an exploration.
@Suite struct ExploredChainTests {
    @Test("a seed and a number give the same chain again") func areReproducible() {
        let rules = Set(ChainRule.all.map(\.name))
        #expect(rules.count == ChainRule.all.count, "a rule's name is its identity")
        #expect(rules.count > 1400)
        var shown: Set<String> = []
        for number in 0..<200 {
            let (one, again) = (ExploredChain(seed: 5, number: number), ExploredChain(seed: 5, number: number))
            #expect(one.shape == again.shape && one.mutations == again.mutations)
            // Signatures of ECDSA differ each time; what they are made of does not.
            #expect(one.question.chain.count == again.question.chain.count)
            #expect(one.question.name == again.question.name && one.question.purpose == again.question.purpose)
            #expect((1...ExploredMutation.maximum).contains(one.mutations.count))
            #expect(one.mutations.allSatisfy { rules.contains($0.rule) })
            shown.insert(one.mutations.map(\.rule).joined(separator: "+"))
        }
        #expect(shown.count > 150)
        #expect(
            (0..<200).contains {
                ExploredChain(seed: 6, number: $0).mutations != ExploredChain(seed: 5, number: $0).mutations
            })
    }

    @Test("every shape is valid, and every rule applies to one of them") func rulesApply() async throws {
        for shape in ChainShape.allCases {
            let reading = await ReferenceVerifier().evaluate(try shape.plan.question())
            #expect(reading.isAccepted, "\(shape): \(reading.problems.map(\.message))")
        }
        for rule in ChainRule.all {
            let applies = ChainShape.allCases.contains { shape in
                (0..<16).contains { ExploredChain(shape, [.init(rule: rule.name, seed: $0)]) != nil }
            }
            #expect(applies, "\(rule.name) never applies")
        }
    }

    @Test("simpler chains have one mutation fewer, or a simpler shape") func simplerChains() throws {
        let chain = try #require(
            ExploredChain(
                .usual, [.init(rule: "leaf/names-upper-case", seed: 1), .init(rule: "issuer/path-length-0", seed: 2)]))
        // The simplest shape has no issuer to change.
        #expect(
            chain.simpler.map { $0.mutations.map(\.rule) } == [["issuer/path-length-0"], ["leaf/names-upper-case"]])
        let leaf = try #require(chain.simpler.last)
        #expect(leaf.simpler.map(\.shape) == ["usual", "direct"])
    }
}
