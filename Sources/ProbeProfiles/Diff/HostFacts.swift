import ProbeKit
import ProbePins
import ProbePlatform

/// A profile's content for one host, as texts that can be compared.
struct HostFacts {
    /// One of the rules for the host.
    struct Rule {
        /// The depths below the host that it is for, where 2 is everything below the first label.
        let depths: Set<Int>
        let sets: [PinSet]
        /// The way in which its sets combine with those of another rule for the name.
        let semantics: HostSemantics
    }

    let reach: HostReach
    let sets: [PinSet]
    let rules: [Rule]
    /// True if several rules name the host; those for wider names stay apart in every format.
    var isRepeated = false

    /// Returns the sets, as texts, by the depth of the names that they are for.
    func arrangement(_ text: (PinSet) -> String) -> [Int: Set<String>] {
        let depths = Set(rules.flatMap(\.depths))
        return Dictionary(uniqueKeysWithValues: depths.map { ($0, Set(held(at: $0).map(text))) })
    }

    /// Returns the sets that names at a depth are held to.
    private func held(at depth: Int) -> [PinSet] {
        Dictionary(grouping: rules.filter { $0.depths.contains(depth) }, by: \.semantics)
            .flatMap { semantics, rules in semantics.combined(rules.map(\.sets)) }
    }

    /// The arrangement as a text.
    var arranged: String {
        func text(_ sets: Set<String>) -> String {
            sets.isEmpty ? "not pinned" : sets.sorted().joined(separator: "; ")
        }
        let arrangement = arrangement(Self.text)
        guard Set(arrangement.values).count > 1 else { return text(arrangement.values.first ?? []) }
        return arrangement.sorted { $0.key < $1.key }.map { depth, sets in
            "\(["the host itself", "names one label below", "names further below"][depth]): \(text(sets))"
        }.joined(separator: "; ")
    }

    /// Returns the pins of a set and their place as a text.
    static func place(_ set: PinSet) -> String {
        "\(set.position): \(Set(set.members.map { "\($0.pin)" }).sorted().joined(separator: ", "))"
    }

    /// Returns a set as a text, its pins with all that holds for them.
    static func text(_ set: PinSet) -> String {
        let rest = [
            set.expiry.map { "until \(RFC3339.format($0.last)), then \($0.afterwards.rawValue)" },
            set.isEnforced ? nil : "only reported", set.chain == .validated ? nil : set.chain.rawValue,
            set.window.map(words),
        ].compactMap(\.self)
        let pins = set.members.map { member in
            "\(member.pin)" + (member.commonName.map { " for the common name '\($0)'" } ?? "")
                + (member.expires.map { " until \(RFC3339.format($0))" } ?? "")
        }
        return (["\(set.position): \(Set(pins).sorted().joined(separator: ", "))"] + rest).joined(separator: ", ")
    }

    /// All facts about a host beside its pins, by the code of their difference.
    var words: [(code: String, text: String)] {
        [
            ("subdomains", reach.rawValue),
            ("position", unique { $0.position.description }),
            ("groups", groups == 1 ? "one set" : "\(groups) sets that must all match"),
            (
                "expiry",
                unique { $0.expiry.map { "\(RFC3339.format($0.last)), then \($0.afterwards.rawValue)" } ?? "never" }
            ),
            ("pin-expiry", unique(pinExpiries)),
            ("enforcement", unique { $0.isEnforced ? "enforced" : "only reported" }),
            ("chain", unique { $0.chain.rawValue }),
            ("window", unique { $0.window.map(Self.words) ?? "none" }),
        ]
    }

    /// The most sets that one name is held to; rules of a format that has one list for each are one.
    private var groups: Int { min(sets.count, arrangement(Self.text).values.map(\.count).max() ?? 0) }

    var pins: Set<Pin> { Set(sets.flatMap(\.members).map(\.pin)) }

    /// The pins, by the depth of the names that they are for.
    var pinsByDepth: [Int: Set<Pin>] {
        rules.reduce(into: [:]) { all, rule in
            let pins = rule.sets.flatMap(\.members).map(\.pin)
            for depth in rule.depths where !pins.isEmpty { all[depth, default: []].formUnion(pins) }
        }
    }

    /// Returns the part that a format can express.
    func reduced(to format: ProfileFormat) -> HostFacts {
        guard let traits = format.traits else { return self }
        var reducer = PinSetReducer(label: "", export: FormatExport(format: format), traits: traits)
        var nearest = reach
        if case .names(let reaches, _) = traits.hosts { nearest = reach.nearest(among: reaches) }
        // Names that it adds have the pins of the furthest ones that are there.
        let (furthest, added) = (reach.depths.max() ?? 0, nearest.depths.subtracting(reach.depths))
        let rules = rules.map { rule in
            let kept = rule.depths.intersection(nearest.depths)
            return Rule(
                depths: rule.depths.contains(furthest) ? kept.union(added) : kept, sets: reducer.reduced(rule.sets),
                semantics: rule.semantics)
        }
        return HostFacts(reach: nearest, sets: reducer.reduced(sets), rules: rules, isRepeated: isRepeated)
    }

    /// Returns the facts as a format has them that lists a name once: its pins are for all names that any rule for it reaches.
    func merged(for format: ProfileFormat) -> HostFacts {
        guard isRepeated, case .names(_, repeats: false)? = format.traits?.hosts else { return self }
        let united = PinSet.united(sets.map { [$0] })
        return HostFacts(
            reach: reach, sets: united, rules: [Rule(depths: reach.depths, sets: united, semantics: .exact)])
    }

    private func unique(_ word: (PinSet) -> String) -> String {
        Set(sets.map(word)).sorted().joined(separator: ", ")
    }

    private func pinExpiries(_ set: PinSet) -> String {
        let expiries = set.members.compactMap { member in
            member.expires.map { "\(member.pin) until \(RFC3339.format($0))" }
        }
        return expiries.isEmpty ? "none" : expiries.sorted().joined(separator: ", ")
    }

    private static func words(_ window: TransitionWindow) -> String {
        "\(RFC3339.format(window.start)) to \(RFC3339.format(window.end)), falling back on \(window.fallback.rawValue), "
            + "skew \(window.maximumSkew) s, \(window.onMissingDate.rawValue) without a date"
    }
}

extension HostFacts {
    /// Creates the facts of some rules; nil if they are for no name.
    init?(_ rules: [Rule], isRepeated: Bool) {
        guard let reach = HostReach(Set(rules.flatMap(\.depths))) else { return nil }
        var sets: [PinSet] = []
        for set in rules.flatMap(\.sets) where !sets.contains(set) { sets.append(set) }
        self.init(reach: reach, sets: sets, rules: rules, isRepeated: isRepeated)
    }
}
