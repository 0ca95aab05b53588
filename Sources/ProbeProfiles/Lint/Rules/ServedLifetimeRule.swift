import ProbeKit
import ProbePins
import ProbePlatform

/// Dates of pins against those of the served certificate and of the next release (decided: window-dates).
struct ServedLifetimeRule: LintRule {
    func findings(in subject: LintSubject) -> [LintFinding] {
        subject.services.flatMap { service -> [LintFinding] in
            let connection = subject.facts.chains[service.label]
            let leaf = connection?.certificates.first?.details
            return service.sets.flatMap { set in
                // The dates of a set are those of the certificate that it pins, which may be another one.
                let isPinned = connection.map { connection in
                    set.members.contains { ServedPin($0.pin, of: set, in: connection) != nil }
                }
                return self.set(
                    set, at: subject.path(of: set, in: service), leaf: leaf, isPinned: isPinned ?? false, in: subject)
            }
        }
    }

    private func set(
        _ set: PinSet, at path: String, leaf: CertificateDetails?, isPinned: Bool, in subject: LintSubject
    ) -> [LintFinding] {
        var findings: [LintFinding] = []
        let ends = set.expiry.map(\.last)
        if let ends, let leaf, ends < leaf.notAfter, ends >= subject.instant {
            findings.append(
                LintFinding(
                    .warning, "pins-expire-before-certificate", at: "\(path).expires",
                    "the pins end on \(ProfileInstant.last.format(ends)), the certificate on \(RFC3339.format(leaf.notAfter))",
                    fix: "make the pins last until the certificate is replaced everywhere"))
        }
        if let ends, let release = subject.facts.nextRelease, ends < release, ends >= subject.instant {
            findings.append(
                LintFinding(
                    .warning, "pins-expire-before-release", at: "\(path).expires",
                    "the pins end on \(ProfileInstant.last.format(ends)), before the release of \(ProfileInstant.first.format(release)) can renew them",
                    fix: subject.format.isNative
                        ? "move 'expires' behind the time the release needs to reach people"
                        : "move the expiry behind the time the release needs to reach people"))
        }
        if let window = set.window, let leaf, isPinned, RFC3339.day(window.end) != RFC3339.day(leaf.notAfter) {
            findings.append(
                LintFinding(
                    .warning, "window-end-differs", at: "\(path).window.to",
                    "the window ends on \(RFC3339.day(window.end)), the certificate on \(RFC3339.day(leaf.notAfter))",
                    fix: "write to: \(RFC3339.day(leaf.notAfter))"))
        }
        return findings
    }
}
