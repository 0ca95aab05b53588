import ProbeKit

/// The valid policies of a path, level by level from the anchor (RFC 5280 section 6.1.2 (a), in the form of RFC 9618).
///
/// The tree of RFC 5280 has a node for every way to a policy, and grows with the power of the path's length. Here a level has
/// one node for a policy, with all of its parents: as many nodes and edges as the certificates have policies and mappings.
struct PolicyGraph {
    private struct Node {
        /// Policies of the level above under which this one is valid.
        let parents: [PolicyIdentifier]
        /// The policies that the next certificate may use for it; nil for the policy itself.
        var expected: Set<PolicyIdentifier>?
    }

    private typealias Level = [PolicyIdentifier: Node]

    /// From the anchor's, which holds anyPolicy alone, downwards; empty once no policy is valid any more.
    private var levels: [Level] = [[.any: Node(parents: [])]]

    /// True if no policy is valid for the path so far.
    var isEmpty: Bool { levels.isEmpty }

    /// The cost of the next certificate, beside its own policies and mappings.
    var width: Int { levels.last?.values.reduce(0) { $0 + 1 + ($1.expected?.count ?? 0) } ?? 0 }

    /// Goes down to the next certificate (RFC 5280 section 6.1.3 (d) and (e)).
    ///
    /// - Parameters:
    ///   - policies: its policies; nil if it has none, after which no policy is valid.
    ///   - anyCounts: true if anyPolicy among them includes the expected policies.
    mutating func descend(to policies: [PolicyIdentifier]?, anyCounts: Bool) {
        guard let policies, let above = levels.last else { return levels = [] }
        var expecting: [PolicyIdentifier: [PolicyIdentifier]] = [:]
        for (policy, node) in above {
            for expected in node.expected ?? [policy] { expecting[expected, default: []].append(policy) }
        }
        var level: Level = [:]
        for policy in policies where policy != .any {
            if let parents = expecting[policy] {
                level[policy] = Node(parents: parents)
            } else if above[.any] != nil {
                level[policy] = Node(parents: [.any])
            }
        }
        if anyCounts, policies.contains(.any) {
            for (policy, parents) in expecting { level[policy] = Node(parents: parents) }
        }
        append(level)
    }

    /// Applies the mappings of the certificate that was reached last (RFC 5280 section 6.1.4 (b)).
    ///
    /// - Parameter isAllowed: true if policies may be mapped; a policy that is mapped anyway is no longer valid.
    mutating func apply(_ mappings: [ReadPolicies.Mapping], isAllowed: Bool) {
        guard var level = levels.popLast() else { return }
        for (policy, mapped) in Dictionary(grouping: mappings, by: \.issuer) {
            guard isAllowed else {
                level[policy] = nil
                continue
            }
            var node = level[policy] ?? (level[.any] == nil ? nil : Node(parents: [.any]))
            node?.expected = Set(mapped.map(\.subject))
            level[policy] = node
        }
        append(level)
    }

    private mutating func append(_ level: Level) {
        levels = level.isEmpty ? [] : levels + [level]
    }

    /// Returns true if the path is valid for one of the policies (RFC 5280 section 6.1.5 (g)); nil accepts any.
    func isValid(for acceptable: Set<PolicyIdentifier>?) -> Bool {
        guard let last = levels.last else { return false }
        // An anyPolicy that reaches the leaf includes every policy.
        guard let acceptable, !acceptable.contains(.any), last[.any] == nil else { return true }
        // The policies are those that the path begins with, before any mapping: the ones right below anyPolicy.
        var reached = Set(last.keys)
        for level in levels.dropFirst().reversed() {
            var above: Set<PolicyIdentifier> = []
            for policy in reached {
                guard let parents = level[policy]?.parents else { continue }
                if parents == [.any] {
                    if acceptable.contains(policy) { return true }
                } else {
                    above.formUnion(parents)
                }
            }
            reached = above
        }
        return false
    }
}
