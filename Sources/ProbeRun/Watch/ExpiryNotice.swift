import ProbeKit
import ProbePins
import ProbePlatform
import ProbeTrust

/// A certificate or pin of a connection that expires within some time (requirement 69), with an id so that it is
/// reported only once.
struct ExpiryNotice: Sendable {
    /// The same id for the same thing with the same last instant, whoever saw it.
    let id: String
    let finding: Finding

    /// Returns the notices of a connection. Things that have expired are left to the verdict.
    static func all(_ connection: ConnectionEvidence, _ check: Check, within limit: Duration) -> [ExpiryNotice] {
        let now = connection.instant
        func isNear(_ last: Date) -> Bool { last >= now && last.timeIntervalSince(now) <= limit.inSeconds }
        var notices = CertificateExpiry.all(in: connection).filter { $0.remaining <= limit }.map { expiry in
            ExpiryNotice(
                id: "certificate \(PinDigest.sha256(of: expiry.certificate.der).hex)",
                finding: .warning(ExpiresSoon.code, stage: .trust, expiry.message, fix: expiry.fix))
        }
        for group in check.advisedPins(seeing: connection) {
            let lasts = Set([group.expiry?.last].compactMap(\.self) + group.pinExpiries.values)
            for last in lasts.sorted() where isNear(last) {
                notices.append(
                    ExpiryNotice(
                        id: "pins \(group) \(RFC3339.format(last))",
                        finding: .warning(
                            "pins-expiring", stage: .pins,
                            "pins of \(group) stop counting: what is pinned \(left(last, now))",
                            fix: "ship new pins before, and move their expiry")))
            }
        }
        return notices
    }

    private static func left(_ last: Date, _ now: Date) -> String {
        let left = Duration.seconds(last.timeIntervalSince(now).rounded(.down))
        return "ends at \(RFC3339.format(last)), in \(DurationText.words(left))"
    }
}
