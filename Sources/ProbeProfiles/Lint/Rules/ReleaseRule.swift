import ProbeKit
import ProbePlatform

/// A certificate that ends before the next release: clients in the field meet its successor with the pins they have
/// (requirements 53 and 106).
struct ReleaseRule: LintRule {
    /// The certificates that can follow, from the most to none.
    private enum Successor: Comparable {
        case withPinnedKey
        case underPinnedAuthority
        case pinned
        case unknown

        /// The change to make.
        var fix: String {
            switch self {
            case .withPinnedKey: "renew with a key that is pinned, and try it with 'probe profile forecast'"
            case .underPinnedAuthority:
                "renew under the certificate that is pinned, and try it with 'probe profile forecast'"
            case .pinned: "deploy the pinned successor before that day, and try it with 'probe profile forecast'"
            case .unknown: "ship the next certificate's pin before that day"
            }
        }
    }

    func findings(in subject: LintSubject) -> [LintFinding] {
        guard let release = subject.facts.nextRelease else { return [] }
        return subject.services.compactMap { finding($0, before: release, in: subject) }
    }

    private func finding(
        _ service: LintSubject.PlacedService, before release: Date, in subject: LintSubject
    ) -> LintFinding? {
        guard let connection = subject.facts.chains[service.label],
            let end = connection.certificates.first?.details?.notAfter, end < release
        else { return nil }
        let isEnforced = service.environment.pinning == .enforce
        var successors: [(isEnforced: Bool, next: Successor)] = service.sets.map { set in
            (isEnforced && set.isEnforced, successor(set, after: end, before: release, in: connection, subject))
        }
        if let next = compared(service, after: end, before: release, in: connection, subject) {
            successors.append((true, next))
        }
        let worst = successors.map(\.next).max() ?? .withPinnedKey
        let isLost = successors.contains { $0.isEnforced && $0.next == .unknown }
        return LintFinding(
            isLost ? .error : .warning, "certificate-ends-before-release", at: service.path,
            "the certificate of \(service.label) ends on \(RFC3339.format(end)), before the release of \(ProfileInstant.first.format(release))"
                + (worst == .unknown
                    ? ": shipped clients know no certificate that could follow it"
                    : ": shipped clients meet the next one with the pins of today"),
            fix: worst.fix)
    }

    /// Returns the certificates that can follow by one set, of whose pins any will do.
    ///
    /// - Parameter areMarked: true if only marked pins are for a later certificate.
    private func successor(
        _ set: PinSet, after end: Date, before release: Date, in connection: ConnectionEvidence,
        _ subject: LintSubject, areMarked: Bool? = nil
    ) -> Successor {
        guard !set.members.isEmpty, set.members.allSatisfy({ $0.pin.kind == .cert }) else { return .withPinnedKey }
        let waiting = WaitingPins(beside: connection)
        let next = set.members.filter { $0.counts(at: end.addingTimeInterval(1)) }
        let outlasting = next.contains { member in
            guard let served = waiting.match(member, of: set), served.depth > 0 else { return false }
            return Self.end(of: member.pin, among: connection.certificates).map { $0 >= release } ?? true
        }
        if outlasting { return .underPinnedAuthority }
        let areMarked = areMarked ?? subject.format.isNative
        let isWaiting = next.contains { member in
            guard waiting.contains(member), !areMarked || member.isBackup else { return false }
            return Self.end(of: member.pin, among: subject.facts.certificates).map { $0 > end } ?? true
        }
        return isWaiting ? .pinned : .unknown
    }

    /// Returns the end of a pinned certificate; nil if it is not at hand.
    private static func end(of pin: Pin, among certificates: [CertificateEvidence]) -> Date? {
        certificates.first { (try? $0.digests.get())?.cert == pin.digest }?.details?.notAfter
    }

    /// Returns the certificates that can follow by the files that a service is compared with; nil if it is with none.
    private func compared(
        _ service: LintSubject.PlacedService, after end: Date, before release: Date,
        in connection: ConnectionEvidence, _ subject: LintSubject
    ) -> Successor? {
        let files = service.service.certificates
        guard !files.isEmpty else { return nil }
        guard let certificates = subject.facts.compared[service.label],
            let set = PinSet(comparing: certificates, beside: connection)
        else { return files.count > 1 ? .pinned : .unknown }
        return successor(set, after: end, before: release, in: connection, subject, areMarked: false)
    }
}
