extension HostRuleIndex {
    /// Returns the facts about a name and those below it, by all rules that reach them; nil if none does.
    ///
    /// - Parameter depths: the numbers of labels below the name that count, where 2 is all beyond the first.
    func facts(of name: String, at depths: Set<Int>) -> HostFacts? {
        let rules = around(name)
        var depthsBySets: [[PinSet]: Set<Int>] = [:]
        for depth in depths {
            guard let sets = rules.pins(where: { $0.reaches(depth, below: name) }) else { continue }
            depthsBySets[sets, default: []].insert(depth)
        }
        var found: [HostFacts.Rule] = []
        for (sets, depths) in depthsBySets {
            guard let reach = HostReach(depths) else { return nil }
            found.append(HostFacts.Rule(reach: reach, sets: sets, semantics: .exact))
        }
        guard let reach = HostReach(Set(depthsBySets.values.joined())) else { return nil }
        var sets: [PinSet] = []
        for set in found.flatMap(\.sets) where !sets.contains(set) { sets.append(set) }
        return HostFacts(reach: reach, sets: sets, rules: found)
    }
}
