import ProbeKit
import ProbePins
import ProbePlatform

/// Finds pins that expire, which platforms do silently (Android, TrustKit) or not at all (ATS, OkHttp).
struct ExpiryRule: LintRule {
    /// Long enough for a release to reach most users.
    private static let notice: TimeInterval = 30 * 86_400

    func findings(in subject: LintSubject) -> [LintFinding] {
        subject.sets.flatMap { placed in set(placed, in: subject) + members(placed, in: subject) }
    }

    private func set(_ placed: LintSubject.PlacedSet, in subject: LintSubject) -> [LintFinding] {
        guard let expiry = placed.set.expiry else { return [] }
        var findings: [LintFinding] = []
        let day = ProfileInstant.last.format(expiry.last)
        let goesSilent = expiry.afterwards == .ignore || [.android, .trustkit].contains(placed.rule?.semantics)
        if subject.instant > expiry.last {
            findings.append(
                LintFinding(
                    .error, "pins-expired", at: "\(placed.path).expires",
                    goesSilent
                        ? "the pins expired after \(day): clients stop looking without a word, and nothing is pinned"
                        : "the pins expired after \(day), and every check fails since",
                    fix: subject.fix(.moveExpiry)))
        } else if expiry.last.timeIntervalSince(subject.instant) < Self.notice {
            findings.append(
                LintFinding(
                    .warning, "pins-expire-soon", at: "\(placed.path).expires", "the pins expire after \(day)",
                    fix: "ship renewed pins before that day"))
        }
        if let semantics = placed.rule?.semantics, [.ats, .okhttp].contains(semantics) {
            findings.append(
                LintFinding(
                    .warning, "platform-has-no-expiry", at: "\(placed.path).expires",
                    "\(semantics.rawValue) knows no expiry: such clients go on pinning after \(day)",
                    fix: "remove 'expires', or leave the date to a rule of another platform"))
        }
        if expiry.afterwards == .fail, let semantics = placed.rule?.semantics,
            [.android, .trustkit].contains(semantics)
        {
            findings.append(
                LintFinding(
                    .note, "platform-ignores-expired", at: "\(placed.path).expires",
                    "after \(day) \(semantics.rawValue) clients pin nothing, while the check fails, to warn you",
                    fix: "write afterExpiry: ignore where the check should read like the client"))
        }
        return findings
    }

    private func members(_ placed: LintSubject.PlacedSet, in subject: LintSubject) -> [LintFinding] {
        placed.set.members.enumerated().compactMap { index, member in
            guard let expires = member.expires, subject.instant > expires else { return nil }
            return LintFinding(
                .warning, "pin-expired", at: "\(placed.path).anyOf[\(index)].expires",
                "the pin stopped counting after \(ProfileInstant.last.format(expires))",
                fix: "remove it, or renew it")
        }
    }
}
