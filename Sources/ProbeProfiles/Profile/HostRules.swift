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

/// The text for a host that no rule lists: every platform connects to it, and the system's trust decides.
enum UnlistedHostWords {
    /// Returns the platforms that connect without pins, and the closest rule that does not match the host.
    static func consequence(_ host: ServerName, in rules: [HostRule]) -> String {
        let platforms = HostSemantics.allCases.filter { semantics in rules.contains { $0.semantics == semantics } }
            .compactMap(\.platform)
        guard !platforms.isEmpty else { return "the profile has no pins for \(host): the system's trust decides alone" }
        let who = platforms.joined(separator: ", ")
        let near = rules.filter { reaches($0, almost: host) }.max { $0.base.count < $1.base.count }
        return
            "no rule is for \(host): \(who) \(platforms.count == 1 ? "connects" : "connect") without pins, by the system's trust alone"
            + (near.map { "; the rule for '\($0.pattern)' does not reach it" } ?? "")
    }

    private static func reaches(_ rule: HostRule, almost host: ServerName) -> Bool {
        host.description == rule.base || host.description.hasSuffix("." + rule.base)
    }
}
