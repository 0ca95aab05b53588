import ProbeKit

/// Alternatives are as strong as the widest of them (requirement 65, decided: widest-pin).
struct ScopeRule: LintRule {
    func findings(in subject: LintSubject) -> [LintFinding] {
        let narrowed = narrowedByClients(subject)
        return subject.sets.flatMap { placed in
            [offline(placed, narrowed, in: subject), presented(placed)].compactMap(\.self)
        } + subject.services.flatMap { served($0, in: subject) }
    }

    /// Returns the sets for CAs beside which each client that has them has one for the leaf: both have to match.
    private func narrowedByClients(_ subject: LintSubject) -> Set<PinSet> {
        let clients = subject.services.flatMap(\.clients).map(\.sets)
        func authorities(_ clients: [[PinSet]]) -> Set<PinSet> { Set(clients.joined().filter { $0.position == .ca }) }
        let narrowed = authorities(clients.filter(Self.pinLeaf))
        return narrowed.isEmpty ? [] : narrowed.subtracting(authorities(clients.filter { !Self.pinLeaf($0) }))
    }

    private static func pinLeaf(_ sets: [PinSet]) -> Bool {
        sets.contains { $0.isEnforced && [.leaf, .first(1)].contains($0.position) && !$0.members.isEmpty }
    }

    private func offline(
        _ placed: LintSubject.PlacedSet, _ narrowed: Set<PinSet>, in subject: LintSubject
    ) -> LintFinding? {
        let platform = placed.rule?.semantics
        switch placed.set.position {
        case .ca where narrowed.contains(placed.set) || Self.pinLeaf(subject.siblings(of: placed)): return nil
        case .ca:
            return LintFinding(
                .note, "ca-scope", at: placed.path,
                "pins of CA certificates accept any certificate that is issued under them",
                fix: subject.fix(.pinLeafToo, for: placed.set, on: platform))
        case .any where placed.set.members.count > 1, .first(2...) where placed.set.members.count > 1:
            return LintFinding(
                .note, "scope-of-the-widest", at: placed.path,
                "the pins are alternatives for leaf and CAs alike: one that is of a CA makes those of leaves decorative",
                fix: subject.fix(.separateLeafAndCA, for: placed.set, on: platform))
        case .leaf, .any, .first: return nil
        }
    }

    /// Of the certificates that a server presents, those that no path uses prove nothing.
    private func presented(_ placed: LintSubject.PlacedSet) -> LintFinding? {
        guard placed.set.chain == .presented, placed.set.position.includes(index: 1) else { return nil }
        return LintFinding(
            .warning, "presented-chain", at: placed.path,
            "pins at \(placed.set.position) of the presented chain match a certificate that is only sent along: whoever has any trusted certificate for the host can append the pinned one",
            fix: placed.rule?.semantics.hasOneList == true
                ? "write chain: validated" : "write chain: validated, or position: leaf")
    }

    private func served(_ service: LintSubject.PlacedService, in subject: LintSubject) -> [LintFinding] {
        guard let connection = subject.facts.chains[service.label] else { return [] }
        return service.sets.compactMap { set in
            let served = set.members.compactMap { ServedPin($0.pin, of: set, in: connection) }
                .filter { $0.reservation == nil }
            guard let narrowest = served.map(\.depth).min(), let widest = served.max(by: { $0.depth < $1.depth }),
                widest.depth > 0, set.position != .ca
            else { return nil }
            let scope = widest.name
            let rest = narrowest < widest.depth ? ", and the pin of certificate \(narrowest) is decorative" : ""
            return LintFinding(
                .warning, "ca-wide-scope", at: subject.path(of: set, in: service),
                "effective scope: any certificate issued under \(scope)\(rest)",
                fix: subject.fix(.narrowToLeaf, for: set, on: service.platform(of: set)))
        }
    }
}
