import ProbeKit
import ProbePins

/// Finds sets that leave no alternative when a key or a certificate has to be replaced (requirements 53 and 104).
struct BackupRule: LintRule {
    func findings(in subject: LintSubject) -> [LintFinding] {
        subject.sets.flatMap { placed in
            alternatives(placed.set).compactMap { set(placed, $0, in: subject) }
        } + subject.services.compactMap { compared($0, in: subject) }
    }

    /// Returns the pins that stand in for each other: all, or those for each common name of a list.
    private func alternatives(_ set: PinSet) -> [[PinSet.Member]] {
        let names = set.members.compactMap(\.commonName)
        guard !names.isEmpty else { return [set.members] }
        let anyName = set.members.filter { $0.commonName == nil }
        let groups = Dictionary(grouping: set.members.filter { $0.commonName != nil }) { $0.commonName ?? "" }
        return groups.sorted { $0.key < $1.key }.map { $0.value + anyName }
    }

    private func set(
        _ placed: LintSubject.PlacedSet, _ members: [PinSet.Member], in subject: LintSubject
    ) -> LintFinding? {
        let pins = Set(members.map(\.pin))
        guard !pins.isEmpty else { return nil }
        if members.allSatisfy(\.isBackup) { return onlyBackups(placed) }
        if members.allSatisfy({ $0.pin.kind == .cert }), pins.count == 1 {
            return singleCertificate(placed, members.first?.commonName, in: subject)
        }
        if pins.count == 1 { return noBackup(placed, in: subject) }
        // No other format can mark one.
        guard subject.format.isNative, !members.contains(where: \.isBackup) else { return nil }
        return LintFinding(
            .note, "backup-not-marked", at: placed.path,
            "none of the \(pins.count) pins is marked as a backup, so a stale one can't be distinguished from one for later",
            fix: "write backup: true at those the server does not use yet")
    }

    /// Returns a warning for a service that compares one certificate, which counts as a pin of it (requirement 88).
    private func compared(_ service: LintSubject.PlacedService, in subject: LintSubject) -> LintFinding? {
        let files = service.service.certificates
        guard !files.isEmpty,
            subject.facts.compared[service.label].map({ Set($0.map(\.der)).count }) ?? files.count == 1
        else { return nil }
        return LintFinding(
            .warning, "single-certificate-pin", at: "\(service.path).certificates",
            "the service may have one certificate: no server can meet that after the certificate's notAfter",
            fix: "list the next certificate's file too before it is deployed")
    }

    private func noBackup(_ placed: LintSubject.PlacedSet, in subject: LintSubject) -> LintFinding {
        LintFinding(
            .warning, "no-backup-pin", at: placed.path,
            "the set has one pin: when that key is lost or has to be replaced, every shipped client is locked out",
            fix: subject.fix(.addBackup))
    }

    private func onlyBackups(_ placed: LintSubject.PlacedSet) -> LintFinding {
        LintFinding(
            .warning, "only-backups", at: placed.path, "every pin of the set is marked as a backup",
            fix: "take backup: true away from the pin the server uses")
    }

    /// Nothing can meet such a pin once its certificate has expired.
    private func singleCertificate(
        _ placed: LintSubject.PlacedSet, _ name: String?, in subject: LintSubject
    ) -> LintFinding {
        let until =
            placed.set.window.map { ", or when its transition window ends on \(ProfileInstant.last.format($0.end))" }
            ?? ""
        return LintFinding(
            .warning, "single-certificate-pin", at: placed.path,
            "the set pins one certificate\(name.map { " for '\($0)'" } ?? ""): no server can meet it after that certificate's notAfter\(until), so a release with the next pin has to be out before",
            fix: subject.fix(.addNextCertificate))
    }
}
