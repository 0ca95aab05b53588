import ProbeKit
public import ProbePlatform

/// Finds what will go wrong with a profile: pins without a backup, windows that never open, rules that miss a host,
/// names of models used twice (requirements 11, 34 to 38, 53, 65, 104).
///
/// It is a function of the profile, an instant and the known facts about the servers; it sends nothing.
public struct ProfileLint: Sendable {
    private let profile: Profile
    private let facts: LintFacts
    private let format: ProfileFormat

    /// Creates a lint of a profile, with further facts.
    ///
    /// - Parameter format: the format of the file it was read from; advice is given in its words.
    public init(_ profile: Profile, facts: LintFacts = LintFacts(), format: ProfileFormat = .nativeYAML) {
        self.profile = profile
        self.facts = facts
        self.format = format
    }

    /// Returns the findings at an instant: errors first, then warnings, then notes, each in the order of the profile.
    public func findings(at instant: Date) -> [LintFinding] {
        let subject = LintSubject(profile, at: instant, facts: facts, format: format)
        let rules: [any LintRule] = [
            PinRule(), BackupRule(), ScopeRule(), WindowRule(), ExpiryRule(), PlatformLimitRule(), HostPatternRule(),
            CoverageRule(), DriftRule(), EnvironmentRule(), ServedChainRule(), ServedLifetimeRule(), ReleaseRule(),
            CAARule(), ModelRegistryRule(), ModelListRule(),
        ]
        var seen: Set<LintFinding> = []
        let found = rules.flatMap { $0.findings(in: subject) }.filter { seen.insert($0).inserted }
        return [.error, .warning, .note].flatMap { severity in found.filter { $0.severity == severity } }
    }
}

/// A family of checks of a profile.
protocol LintRule {
    /// Returns the rule's findings, in the order of the profile.
    func findings(in subject: LintSubject) -> [LintFinding]
}
