import ProbeKit

/// Alternatives are as strong as the widest of them (requirement 65, decision K20).
struct ScopeRule: LintRule {
    func findings(in subject: LintSubject) -> [LintFinding] {
        subject.sets.compactMap { offline($0, in: subject) } + subject.services.flatMap { served($0, in: subject) }
    }

    private func offline(_ placed: LintSubject.PlacedSet, in subject: LintSubject) -> LintFinding? {
        switch placed.set.position {
        case .ca:
            LintFinding(
                .note, "ca-scope", at: placed.path,
                "pins of CA certificates accept any certificate that is issued under them",
                fix: subject.fix(.pinLeafToo))
        case .any where placed.set.members.count > 1, .first(2...) where placed.set.members.count > 1:
            LintFinding(
                .note, "scope-of-the-widest", at: placed.path,
                "the pins are alternatives for leaf and CAs alike: one that is of a CA makes those of leaves decorative",
                fix: subject.fix(.separateLeafAndCA))
        case .leaf, .any, .first: nil
        }
    }

    private func served(_ service: LintSubject.PlacedService, in subject: LintSubject) -> [LintFinding] {
        guard let connection = subject.facts.chains[service.label] else { return [] }
        return service.sets.compactMap { set in
            let chain = connection.indices(of: set.chain)
            let depths = set.members.compactMap { ServedPin($0.pin, of: set, in: connection)?.depth }
            guard let narrowest = depths.min(), let widest = depths.max(), widest > 0, set.position != .ca else {
                return nil
            }
            let scope = connection.certificates[chain[widest]].name
            let rest = narrowest < widest ? ", and the pin of certificate \(narrowest) is decorative" : ""
            return LintFinding(
                .warning, "ca-wide-scope", at: subject.path(of: set, in: service),
                "effective scope: any certificate issued under \(scope)\(rest)",
                fix: subject.fix(.narrowToLeaf))
        }
    }
}
