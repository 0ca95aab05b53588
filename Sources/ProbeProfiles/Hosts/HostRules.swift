public import ProbeKit

extension [HostRule] {
    /// Returns the pins that hold for a host: those of each platform's reading, which all have to match.
    ///
    /// - Returns: the sets; nil if no rule is for the host.
    public func pins(for host: ServerName) -> [PinSet]? {
        let readings = readings(for: host)
        guard !readings.isEmpty else { return nil }
        var sets: [PinSet] = []
        for set in readings.flatMap(\.sets) where !sets.contains(set) { sets.append(set) }
        return sets
    }

    /// Returns the pins that hold for a host by each platform's reading; only the platforms that have a rule for it.
    public func readings(for host: ServerName) -> [(semantics: HostSemantics, sets: [PinSet])] {
        HostSemantics.allCases.compactMap { semantics in
            let rules = filter { $0.semantics == semantics && $0.matches(host) }
            return rules.isEmpty ? nil : (semantics, Self.weigh(rules, semantics))
        }
    }

    private static func weigh(_ rules: [HostRule], _ semantics: HostSemantics) -> [PinSet] {
        switch semantics {
        case .exact, .ats: rules.flatMap(\.pins)
        // The longest pattern is the exact one, if there is one.
        case .android, .trustkit: rules.max { $0.pattern.count < $1.pattern.count }?.pins ?? []
        case .okhttp: union(rules.flatMap(\.pins))
        }
    }

    /// Sets that differ in nothing but their members become one.
    private static func union(_ sets: [PinSet]) -> [PinSet] {
        var united: [PinSet] = []
        for set in sets {
            if let index = united.firstIndex(where: { $0.isLike(set) }) {
                let known = united[index].members.map(\.pin)
                united[index].members += set.members.filter { !known.contains($0.pin) }
            } else {
                united.append(set)
            }
        }
        return united
    }
}

extension PinSet {
    /// Returns true if two sets differ only in their members.
    func isLike(_ other: PinSet) -> Bool {
        var bare = self
        bare.members = other.members
        return bare == other
    }
}
