import ProbeKit
import ProbePins
import ProbePlatform

/// Transition windows that never help, last too long or too short, or trust too much (requirement 11).
struct WindowRule: LintRule {
    /// Half a month to a month and a half: the seed's windows are of one month.
    private static let lengths: ClosedRange<TimeInterval> = 15 * 86_400...45 * 86_400

    func findings(in subject: LintSubject) -> [LintFinding] {
        subject.sets.flatMap { placed in
            placed.set.window.map { findings($0, of: placed, in: subject) } ?? []
        }
    }

    private func findings(
        _ window: TransitionWindow, of placed: LintSubject.PlacedSet, in subject: LintSubject
    ) -> [LintFinding] {
        let path = "\(placed.path).window"
        var findings: [LintFinding] = []
        let pinsCertificates = placed.set.members.contains { $0.pin.kind == .cert }
        if !pinsCertificates {
            findings.append(
                LintFinding(
                    .error, "window-on-keys", at: path,
                    "a window relaxes pins of certificates alone, and this set pins keys",
                    fix: "remove the window, and add the next key's pin with backup: true"))
        } else if window.fallback == .alternate, !hasKeys(beside: placed, in: subject) {
            findings.append(
                LintFinding(
                    .error, "window-without-keys", at: path,
                    "the window tolerates a certificate whose key is pinned, and no other set here pins keys: it never opens",
                    fix: "add a set of key pins (spki), the next key's among them"))
        }
        if pinsCertificates, window.fallback == .system {
            findings.append(
                LintFinding(
                    .warning, "window-trusts-system", at: path,
                    "in the window any certificate that a trusted CA issued for the name is accepted",
                    fix: "pin the next key in a set of its own, and write fallback: alternate"))
        }
        let length = window.end.timeIntervalSince(window.start)
        if length < Self.lengths.lowerBound {
            findings.append(
                LintFinding(
                    .warning, "window-too-short", at: path,
                    "the window lasts \(Self.text(length)): who has the old pins after it is refused, and it is meant for a month",
                    fix: "let it begin a month before the certificate's notAfter"))
        }
        if length > Self.lengths.upperBound {
            findings.append(
                LintFinding(
                    .warning, "window-too-long", at: path,
                    "the window lasts \(Self.text(length)), and is meant for the month before a certificate ends",
                    fix: "let it begin a month before the certificate's notAfter"))
        }
        if window.onMissingDate == .lenient {
            findings.append(
                LintFinding(
                    .warning, "window-without-date", at: path,
                    "the window stands when the server's time is unknown, so a wrong clock opens it",
                    fix: "write onMissingDate: strict"))
        }
        if subject.instant > window.end {
            findings.append(
                LintFinding(
                    .warning, "window-over", at: path,
                    "the window ended on \(ProfileInstant.last.format(window.end))",
                    fix: "remove it, or plan the next one"))
        }
        return findings
    }

    /// Returns whole days, or hours for less than two.
    private static func text(_ length: TimeInterval) -> String {
        let days = Int((length / 86_400).rounded())
        return days > 1 ? "\(days) days" : "\(Int((length / 3600).rounded(.up))) hours"
    }

    /// Returns true if a client that has this set also has one that pins keys, which could vouch for another
    /// certificate.
    private func hasKeys(beside placed: LintSubject.PlacedSet, in subject: LintSubject) -> Bool {
        let siblings = subject.siblings(of: placed)
        let clients = subject.services.flatMap(\.clients).filter { $0.sets.contains(placed.set) }
        return (siblings + clients.flatMap(\.sets)).contains { set in
            !set.members.isEmpty && set.members.allSatisfy { $0.pin.kind != .cert }
        }
    }
}
