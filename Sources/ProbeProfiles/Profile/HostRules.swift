public import ProbeKit

extension [HostRule] {
    /// Returns the pins that hold for a host: those of each platform's reading, which all have to match.
    ///
    /// - Returns: the sets; nil if no rule is for the host.
    public func pins(for host: ServerName) -> [PinSet]? { pins { $0.matches(host) } }

    /// Returns the pins that hold for a host by each platform's reading; only the platforms that have a rule for it.
    public func readings(for host: ServerName) -> [(semantics: HostSemantics, sets: [PinSet])] {
        readings { $0.matches(host) }
    }

    /// Returns the pins by all rules for which a closure returns true; nil if there are none.
    func pins(where applies: (HostRule) -> Bool) -> [PinSet]? {
        let readings = readings(where: applies)
        guard !readings.isEmpty else { return nil }
        var sets: [PinSet] = []
        for set in readings.flatMap(\.sets) where !sets.contains(set) { sets.append(set) }
        return sets
    }

    private func readings(where applies: (HostRule) -> Bool) -> [(semantics: HostSemantics, sets: [PinSet])] {
        let applying = filter(applies)
        return HostSemantics.allCases.compactMap { semantics in
            let rules = applying.filter { $0.semantics == semantics }
            return rules.isEmpty ? nil : (semantics, Self.weigh(rules, semantics))
        }
    }

    private static func weigh(_ rules: [HostRule], _ semantics: HostSemantics) -> [PinSet] {
        switch semantics {
        // The longest pattern is the exact one, if there is one.
        case .android, .trustkit: rules.max { $0.pattern.count < $1.pattern.count }?.pins ?? []
        case .exact, .ats, .okhttp: semantics.combined(rules.map(\.pins))
        }
    }
}

extension [HostRule] {
    /// Returns true if public suffixes decide whether a wider rule of TrustKit's is for a host, and the system has no
    /// list of them.
    func dependOnUnknownSuffixes(
        for host: ServerName, by suffixes: PublicSuffixList? = PublicSuffixList.ofSystem
    ) -> Bool {
        guard suffixes == nil else { return false }
        let rules = filter { $0.semantics == .trustkit && $0.matches(host, by: nil) }
        return !rules.isEmpty && rules.allSatisfy { $0.pattern != host.description }
    }
}

extension HostSemantics {
    /// True if the pins of several rules for one name are alternatives, as far as they are for one position.
    var unites: Bool { self == .ats || self == .okhttp }

    /// Returns the sets of several rules that all count for a name.
    func combined(_ groups: [[PinSet]]) -> [PinSet] {
        switch self {
        case .exact, .android, .trustkit: groups.flatMap(\.self)
        case .ats: PinSet.united(groups)
        case .okhttp: PinSet.united(groups.flatMap(\.self).map { [$0] })
        }
    }
}

extension PinSet {
    /// Returns the sets of several groups: those of different groups that differ in nothing but their members become one.
    static func united(_ groups: [[PinSet]]) -> [PinSet] {
        var united: [PinSet] = []
        for group in groups {
            var earlier = Array(united.indices)
            for set in group {
                if let place = earlier.firstIndex(where: { united[$0].isLike(set) }) {
                    let index = earlier.remove(at: place)
                    // A pin may be listed twice, for two common names or to two ends.
                    let known = Set(united[index].members.map(\.demand))
                    united[index].mark(backupsOf: set)
                    united[index].members += set.members.filter { !known.contains($0.demand) }
                } else {
                    united.append(set)
                }
            }
        }
        return united
    }

    /// Marks the pins that are backups in another set: they are for what the server does not have yet, whoever lists them.
    fileprivate mutating func mark(backupsOf other: PinSet) {
        let backups = Set(other.members.filter(\.isBackup).map(\.demand))
        guard !backups.isEmpty else { return }
        for index in members.indices where backups.contains(members[index].demand) { members[index].isBackup = true }
    }

    /// Returns true if two sets differ only in their members.
    func isLike(_ other: PinSet) -> Bool {
        var bare = self
        bare.members = other.members
        return bare == other
    }
}

extension [PinSet] {
    /// The sets without those that demand the same as an earlier one, which gets their marks of backups.
    var merged: [PinSet] {
        var places: [PinDemand: Int] = [:]
        var merged: [PinSet] = []
        for set in self {
            let demand = PinDemand(set)
            if let place = places[demand] {
                merged[place].mark(backupsOf: set)
            } else {
                places[demand] = merged.count
                merged.append(set)
            }
        }
        return merged
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
            + (near.map { "; the rule for '\($0.pattern)' \(limit(of: $0, before: host))" } ?? "")
    }

    private static func limit(of rule: HostRule, before host: ServerName) -> String {
        rule.semantics == .trustkit && rule.includesSubdomains && host.description != rule.base
            ? "does not reach names with another public suffix" : "does not reach it"
    }

    private static func reaches(_ rule: HostRule, almost host: ServerName) -> Bool {
        host.description == rule.base || host.description.hasSuffix("." + rule.base)
    }
}
