/// The facts of a profile's hosts, by what clients do with all rules that reach a host: rules for wider names widen those of
/// one platform and yield to those of another.
struct HostFactsIndex {
    private let rules: HostRuleIndex
    /// The pins of services and the pins for every host, by name. Rules leave them as they are.
    private let beside: [String: [HostFacts.Rule]]
    private let depthsByName: [String: Set<Int>]

    init(_ profile: Profile) {
        rules = HostRuleIndex(profile.hosts)
        var others = profile
        others.hosts = []
        beside = others.pinnedHosts().reduce(into: [:]) { all, host in
            all[host.name ?? host.label, default: []]
                .append(HostFacts.Rule(depths: host.reach.depths, sets: host.sets, semantics: host.semantics))
        }
        depthsByName = profile.pinnedHosts().reduce(into: [:]) { all, host in
            all[host.name ?? host.label, default: []].formUnion(host.reach.depths)
        }
    }

    /// The names that the profile has.
    var names: Set<String> { Set(depthsByName.keys) }

    /// Returns the depths that the profile has for a name; empty if it does not have the name.
    func depths(of name: String) -> Set<Int> { depthsByName[name] ?? [] }

    /// Returns the facts about a name and those below it; nil if nothing is for them.
    ///
    /// - Parameter depths: the numbers of labels below the name that count, where 2 is all beyond the first.
    func facts(of name: String, at depths: Set<Int>) -> HostFacts? {
        let own = beside[name] ?? []
        let ruled = own.isEmpty || rules.names(name) ? ruled(name, at: depths) : []
        return HostFacts(own + ruled, isRepeated: own.count + rules.count(naming: name) > 1)
    }

    /// Returns the sets that the rules around a name together make, each with its depths.
    private func ruled(_ name: String, at depths: Set<Int>) -> [HostFacts.Rule] {
        let around = rules.around(name)
        var depthsBySets: [[PinSet]: Set<Int>] = [:]
        for depth in depths {
            guard let sets = around.pins(where: { $0.reaches(depth, below: name) }) else { continue }
            depthsBySets[sets, default: []].insert(depth)
        }
        return depthsBySets.sorted { ($0.value.min() ?? 0) < ($1.value.min() ?? 0) }
            .map { HostFacts.Rule(depths: $0.value, sets: $0.key, semantics: .exact) }
    }
}
