import ProbeKit

/// A measurement of a known difference: the backends that showed it, and the answer of the reference that they differed from.
struct Sighting: Hashable, Sendable {
    private let backends: Set<String>
    /// The causes for which the reference refused the chain; empty where it accepted it.
    private let causes: Set<String>
    /// The rules that all have to be among a kind's; those of the entry are one of several.
    private let rules: [String]

    /// Creates a measurement.
    ///
    /// - Parameters:
    ///   - backends: those that differed.
    ///   - causes: the causes for which the reference refused the chain; empty where it accepted it.
    ///   - rules: the rules that all have to be among a kind's, as in an entry.
    static func by(
        _ backends: Set<String>, for causes: Set<TrustCause> = [], with rules: [String] = []
    ) -> Sighting {
        Sighting(backends: backends, causes: Set(causes.map(\.rawValue)), rules: rules)
    }

    func covers(_ backend: String, reference: ExploredAnswer, rules used: [String]) -> Bool {
        backends.contains(backend) && (reference.cause.map(causes.contains) ?? causes.isEmpty)
            && rules.allSatisfy { pattern in used.contains { RulePattern.matches($0, pattern) } }
    }
}

/// Patterns of rules.
enum RulePattern {
    /// Returns true if a rule is the pattern; a star at either end of it stands for anything.
    static func matches(_ rule: String, _ pattern: String) -> Bool {
        if pattern.hasPrefix("*"), pattern.hasSuffix("*") { return rule.contains(pattern.dropFirst().dropLast()) }
        if pattern.hasPrefix("*") { return rule.hasSuffix(pattern.dropFirst()) }
        if pattern.hasSuffix("*") { return rule.hasPrefix(pattern.dropLast()) }
        return rule == pattern
    }
}
