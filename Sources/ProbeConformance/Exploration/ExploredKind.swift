import ProbeKit

/// A kind of difference: the fewest rules that make it, and who differs in which way.
public struct ExploredKind<Example: Explorable>: Sendable {
    /// The rules, sorted.
    public let rules: [String]
    /// The differences, sorted.
    public let differences: [ExploredDifference]
    /// The number of examples that show it.
    public internal(set) var count: Int
    /// The number of the first example that showed it, before it was made simpler.
    public let first: Int
    /// That example, made as simple as it goes.
    public let example: Example
    /// The answers to the simple example.
    public let answers: ExploredAnswers

    /// True if a backend hung or crashed.
    public var isFault: Bool { answers.backends.contains { $0.answer?.isFault ?? false } || answers.reference.isFault }

    /// Returns what is known of the kind: an entry for each of its differences, or nil if one of them is new. A fault is
    /// never known: no rule explains it.
    public func known(in list: [KnownDifference]) -> [KnownDifference]? {
        guard !isFault else { return nil }
        var found: [KnownDifference] = []
        for difference in differences {
            let entry = list.first {
                $0.fits(difference, rules: patterned)
                    && $0.wasSeen(difference, from: answers.reference, rules: patterned)
            }
            guard let entry else { return nil }
            if !found.contains(entry) { found.append(entry) }
        }
        return found
    }

    /// Returns the reason that its rules suggest for its first difference, whichever backend was measured with them; nil if none
    /// does. It describes a difference, and does not make it known.
    package func likelyReason(in list: [KnownDifference]) -> String? {
        guard !isFault, let difference = differences.first else { return nil }
        return list.first { $0.fits(difference, rules: patterned) }?.reason
    }

    /// The rules that entries are compared with: its own, and the one of its shape.
    private var patterned: [String] { rules + ["shape/\(example.shape)"] }
}

/// A difference whose reason is known.
public struct KnownDifference: Hashable, Sendable {
    /// The backends that differ; empty for any.
    let backends: Set<String>
    /// The answer of those backends; nil for any.
    let answer: String?
    /// The rules, one of which has to be among a kind's; `shape/NAME` is among those of an example that was made from this
    /// one. A star at either end stands for anything.
    let rules: [String]
    /// The reason.
    public let reason: String
    /// The case of the suite that shows it; nil if only `docs/explored.md` does.
    public let scenario: String?
    /// The measurements that it holds for; nil for any.
    let seen: [Sighting]?

    /// Creates an entry that holds whatever the reference answers.
    public init(
        _ rules: [String], of backends: Set<String> = [], answer: String? = nil, scenario: String? = nil,
        _ reason: String
    ) {
        self.init(rules, of: backends, answer: answer, scenario: scenario, seen: nil, reason)
    }

    /// Creates an entry that holds for what was measured.
    init(
        _ rules: [String], of backends: Set<String> = [], answer: String? = nil, scenario: String? = nil,
        seen: [Sighting]?, _ reason: String
    ) {
        self.rules = rules
        self.backends = backends
        self.answer = answer
        self.scenario = scenario
        self.seen = seen
        self.reason = reason
    }

    func fits(_ difference: ExploredDifference, rules used: [String]) -> Bool {
        (backends.isEmpty || backends.contains(difference.backend)) && (answer.map { $0 == difference.answer } ?? true)
            && used.contains { rule in rules.contains { RulePattern.matches(rule, $0) } }
    }

    func wasSeen(_ difference: ExploredDifference, from reference: ExploredAnswer, rules used: [String]) -> Bool {
        seen?.contains { $0.covers(difference.backend, reference: reference, rules: used) } ?? true
    }
}
