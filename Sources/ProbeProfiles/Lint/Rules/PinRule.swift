import ProbeKit
import ProbePins

/// Finds pins that can't be meant: of nothing, placeholders, listed twice, or of two things at once; and sets that can't
/// match together.
struct PinRule: LintRule {
    /// The digest that a pipeline prints if its first command failed (decided: placeholder-pins).
    private static let ofNothing = PinDigest.sha256(of: [])
    private static let zeros = PinDigest(words: (0, 0, 0, 0))

    /// Returns the content of a digest that somebody typed; nil for one that may be of something. The last letter of base64
    /// differs from the others in the bits that no byte uses: `BBBB…BBA=` (decided: placeholder-pins).
    private static func placeholder(_ digest: PinDigest) -> String? {
        if digest == zeros { return "zeros" }
        if Set(digest.bytes).count == 1 { return "one byte, repeated" }
        return Set(digest.base64.prefix(42)).count == 1 ? "one letter, repeated" : nil
    }

    func findings(in subject: LintSubject) -> [LintFinding] {
        subject.sets.flatMap { members($0, in: subject) } + subject.services.flatMap { contradictions($0, in: subject) }
    }

    private func members(_ placed: LintSubject.PlacedSet, in subject: LintSubject) -> [LintFinding] {
        var findings: [LintFinding] = []
        if placed.set.members.isEmpty {
            findings.append(
                LintFinding(
                    .error, "empty-pin-set", at: placed.path, "the set has no pins, so nothing can match it",
                    fix: subject.fix(.addPins)))
        }
        for (index, member) in placed.set.members.enumerated() {
            let path = "\(placed.path).anyOf[\(index)]"
            let earlier = placed.set.members[..<index]
            if member.pin.digest == Self.ofNothing {
                findings.append(
                    LintFinding(
                        .error, "empty-hash-pin", at: path,
                        "the pin is the SHA-256 of empty input, what a failed pipeline prints",
                        fix: "make it again with 'probe pins HOST'"))
            } else if let placeholder = Self.placeholder(member.pin.digest) {
                findings.append(
                    LintFinding(
                        .error, "placeholder-pin", at: path, "the pin is a placeholder of \(placeholder)",
                        fix: "put a real pin there, or remove it"))
            } else if let twin = earlier.first(where: { $0.pin == member.pin && $0.commonName == member.commonName }) {
                findings.append(duplicate(member, of: twin, at: path))
            } else if let other = earlier.first(where: {
                $0.pin.digest == member.pin.digest && $0.pin.kind != member.pin.kind
            }) {
                findings.append(
                    LintFinding(
                        .error, "digest-of-two-kinds", at: path,
                        "the same digest is listed as \(other.pin.kind.name) and as \(member.pin.kind.name); it can be only one of them",
                        fix: "compare with the lines of 'probe pins HOST', and keep the kind that is right"))
            }
        }
        return findings
    }

    private func duplicate(_ member: PinSet.Member, of twin: PinSet.Member, at path: String) -> LintFinding {
        member.isBackup != twin.isBackup
            ? LintFinding(
                .warning, "backup-is-active", at: path, "the backup is a pin that is in use already",
                fix: "pin a key that was generated for the purpose and is kept apart")
            : LintFinding(.warning, "duplicate-pin", at: path, "the pin is listed twice", fix: "remove one of the two")
    }

    /// Returns the contradictions between two sets of one client that check only the leaf, for the same kind, and have
    /// no pin in common.
    private func contradictions(
        _ service: LintSubject.PlacedService, in subject: LintSubject
    ) -> [LintFinding] {
        service.clients.flatMap { client in
            let leaf = client.sets.filter { $0.position == .leaf || $0.position == .first(1) }
            return leaf.indices.flatMap { index in
                leaf[..<index].filter { Self.excludes($0, leaf[index]) }.map { other in
                    LintFinding(
                        .error, "sets-exclude-each-other", at: subject.path(of: leaf[index], in: service),
                        "this set and \(subject.path(of: other, in: service)) must both match the leaf of \(service.service.target.name), and have no pin in common",
                        fix: "put the pins into one set if they are alternatives")
                }
            }
        }
    }

    private static func excludes(_ one: PinSet, _ other: PinSet) -> Bool {
        let kinds = Set((one.members + other.members).map(\.pin.kind))
        return kinds.count == 1 && !one.members.isEmpty && !other.members.isEmpty
            && Set(one.members.map(\.pin)).isDisjoint(with: other.members.map(\.pin))
    }
}
