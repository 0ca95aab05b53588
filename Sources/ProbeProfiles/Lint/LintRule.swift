/// A family of things to look for in a profile.
protocol LintRule {
    /// What it finds, in the order of the profile.
    func findings(in subject: LintSubject) -> [LintFinding]
}
