import ProbeKit
import Testing

@testable import ProbeTrust

/// The valid policies level by level, and what the next certificate costs.
@Suite struct PolicyGraphTests {
    private static func policy(_ number: UInt8) -> PolicyIdentifier { PolicyIdentifier(content: [0x2a, number]) }
    private static let (one, two, three) = (policy(1), policy(2), policy(3))

    private func mapping(_ from: PolicyIdentifier, _ to: PolicyIdentifier) -> ReadPolicies.Mapping {
        ReadPolicies.Mapping(issuer: from, subject: to)
    }

    /// A unit for every policy of the level, and one for each that it was mapped to.
    @Test func theWidthCountsPoliciesAndMappings() {
        var graph = PolicyGraph()
        #expect(graph.width == 1, "anyPolicy")
        graph.descend(to: [Self.one, Self.two], anyCounts: true)
        #expect(graph.width == 2)
        graph.apply([mapping(Self.one, Self.two), mapping(Self.one, Self.three)], isAllowed: true)
        #expect(graph.width == 4)
        graph.descend(to: [Self.two, Self.three], anyCounts: true)
        #expect(graph.width == 2)
        graph.apply([], isAllowed: true)
        #expect(graph.width == 2)
        graph.descend(to: nil, anyCounts: true)
        #expect(graph.width == 0 && graph.isEmpty)
    }

    @Test func theGraphIsEmptyOnceNoPolicyIsValid() {
        var graph = PolicyGraph()
        #expect(!graph.isEmpty)
        graph.descend(to: [Self.one], anyCounts: true)
        #expect(!graph.isEmpty && graph.isValid(for: nil) && graph.isValid(for: [Self.one]))
        #expect(!graph.isValid(for: [Self.two]) && !graph.isValid(for: []))
        #expect(graph.isValid(for: [Self.two, .any]), "any of the question's is every one")
        graph.descend(to: [Self.two], anyCounts: true)
        #expect(graph.isEmpty && !graph.isValid(for: nil) && !graph.isValid(for: [.any]))
        graph.descend(to: [.any], anyCounts: true)
        #expect(graph.isEmpty, "what is empty stays so")
        graph.apply([mapping(Self.one, Self.two)], isAllowed: true)
        #expect(graph.isEmpty)
    }

    @Test func anyStandsForWhatIsExpected() {
        for (anyCounts, isValid) in [(true, true), (false, false)] {
            var graph = PolicyGraph()
            graph.descend(to: [Self.one, Self.two], anyCounts: true)
            graph.descend(to: [.any], anyCounts: anyCounts)
            #expect(graph.isValid(for: [Self.two]) == isValid && graph.isEmpty == !isValid)
            #expect(!graph.isValid(for: [Self.three]))
        }
        // Beside it a policy of its own counts once, under the same ones.
        var graph = PolicyGraph()
        graph.descend(to: [Self.one, Self.two], anyCounts: true)
        graph.descend(to: [Self.one, .any], anyCounts: true)
        #expect(graph.width == 2 && graph.isValid(for: [Self.one]) && graph.isValid(for: [Self.two]))
    }

    /// A policy that must not be mapped and is mapped is not valid any more; the others are.
    @Test func mappingsThatAreNotAllowedEndAPolicy() {
        for (isAllowed, names) in [(true, [Self.one, Self.two]), (false, [Self.two])] {
            var graph = PolicyGraph()
            graph.descend(to: [Self.one, Self.two], anyCounts: true)
            graph.apply([mapping(Self.one, Self.three)], isAllowed: isAllowed)
            graph.descend(to: [Self.two, Self.three], anyCounts: true)
            for name in [Self.one, Self.two, Self.three] {
                #expect(graph.isValid(for: [name]) == names.contains(name))
            }
        }
    }
}
