import ProbeKit

/// Finds parts of a host rule that a platform does not support, so that the client behaves differently.
struct PlatformLimitRule: LintRule {
    func findings(in subject: LintSubject) -> [LintFinding] {
        // Browsers read subdomains as Android does, and are not bound by its limits.
        guard subject.format != .hpkp else { return [] }
        return subject.sets.flatMap { placed in
            placed.rule.map { $0.semantics == .exact ? [] : findings(placed, on: $0.semantics, in: subject) } ?? []
        } + subject.profile.hosts.enumerated().compactMap { index, rule in several(rule, at: "hosts[\(index)]") }
    }

    private func findings(
        _ placed: LintSubject.PlacedSet, on platform: HostSemantics, in subject: LintSubject
    ) -> [LintFinding] {
        let set = placed.set
        let name = platform.rawValue
        guard set.hasOnlySPKI else {
            return [
                LintFinding(
                    .note, "kind-not-on-platform", at: placed.path,
                    "\(name) itself pins SPKI hashes alone: the app's own code has to look at these",
                    fix: "make sure that the app does, or pin spki")
            ]
        }
        var findings: [LintFinding] = []
        if platform == .trustkit, set.isEnforced, Set(set.members.map(\.pin)).count < 2 {
            findings.append(
                LintFinding(
                    .error, "trustkit-needs-two-pins", at: placed.path,
                    "TrustKit refuses to start with fewer than two pins for a host it enforces",
                    fix: subject.fix(.addBackup)))
        }
        if platform == .ats ? ![.leaf, .ca].contains(set.position) : set.position != .any {
            findings.append(
                LintFinding(
                    .note, "position-not-on-platform", at: placed.path,
                    platform == .ats
                        ? "ATS pins the leaf or the CA, and these pins may match at \(set.position)"
                        : "\(name) accepts these pins at any place of the chain, and the check only at \(set.position)",
                    fix: platform == .ats ? "write position: leaf or position: ca" : "write position: any"))
        }
        // A file of Android's has none but those that its anchors override.
        if platform != .trustkit, subject.format != .android, !set.isEnforced {
            findings.append(
                LintFinding(
                    .note, "no-report-only", at: placed.path,
                    "\(name) has no report-only mode: its clients refuse what the check only reports"
                        + (platform == .android ? ", unless the system's anchors override pins" : ""),
                    fix: "write enforce: true"))
        }
        return findings
    }

    /// ATS has a set for the leaf and one for the CA; the others have one list a host.
    private func several(_ rule: HostRule, at path: String) -> LintFinding? {
        guard rule.semantics.hasOneList, rule.pins.count(where: \.hasOnlySPKI) > 1 else { return nil }
        return LintFinding(
            .warning, "one-set-on-platform", at: "\(path).pins",
            "\(rule.semantics.rawValue) has one list of pins a host, of which any may match; the check wants a match in every set",
            fix: "put the pins into one set")
    }
}
