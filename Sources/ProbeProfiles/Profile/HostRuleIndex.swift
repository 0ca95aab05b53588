import ProbeKit

/// Host rules by the names that they are for, so that those of a host are found without a search through all of them.
struct HostRuleIndex {
    private let rules: [HostRule]
    private let byBase: [String: [Int]]

    init(_ rules: [HostRule]) {
        self.rules = rules
        byBase = Dictionary(grouping: rules.indices) { rules[$0].base }
    }

    /// Returns true if a rule is for this name, or with a wildcard for names below it.
    func names(_ name: String) -> Bool { byBase[name] != nil }

    /// Returns the number of rules that name a host, or a pattern of it.
    func count(naming name: String) -> Int { byBase[name]?.count ?? 0 }

    /// Returns the rules for a name and for those that it is below, in the order of the profile.
    func around(_ name: String) -> [HostRule] {
        ([name] + DomainName.parents(of: name)).flatMap { byBase[$0] ?? [] }.sorted().map { rules[$0] }
    }

    /// Returns the pins that hold for a host by each platform's reading; only the platforms that have a rule for it.
    func readings(for host: ServerName) -> [(semantics: HostSemantics, sets: [PinSet])] {
        around(host.description).readings(for: host)
    }
}
