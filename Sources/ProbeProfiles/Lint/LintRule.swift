/// A family of things to look for in a profile.
protocol LintRule {
    /// Returns the rule's findings, in the order of the profile.
    func findings(in subject: LintSubject) -> [LintFinding]
}
