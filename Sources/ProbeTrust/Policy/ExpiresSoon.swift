public import ProbeKit
public import ProbePlatform

/// Reports certificates of the validated path that expire soon: a warning by default, an error within a requested time.
public struct ExpiresSoon: Policy {
    /// The finding's code.
    public static let code = "certificate-expires-soon"

    private let limit: Duration?

    /// - Parameter limit: the time left at which the check fails; nil only warns, within two weeks of expiry or the
    ///   last third of a shorter life.
    public init(failingWithin limit: Duration? = nil) {
        self.limit = limit
    }

    /// Returns one finding for each certificate that ends soon, the leaf first.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let connection = evidence.connection, connection.report.failure == nil else { return [] }
        return CertificateExpiry.all(in: connection).compactMap { expiry in
            if let limit, expiry.remaining <= limit {
                return .error(
                    .trustFailed, code: Self.code, stage: .trust,
                    "\(expiry.message), within the \(DurationText.words(limit)) that were asked for", fix: expiry.fix)
            }
            guard expiry.remaining <= expiry.usualNotice else { return nil }
            return .warning(Self.code, stage: .trust, expiry.message, fix: expiry.fix)
        }
    }
}

/// The expiry of a certificate that a verdict depends on, relative to the instant of the verdict.
package struct CertificateExpiry {
    /// Its place in the path, the leaf being 0.
    let depth: Int
    package let certificate: CertificateEvidence
    let details: CertificateDetails
    /// True if it is the path's anchor, which is trusted by itself.
    let isAnchor: Bool
    /// The time left until it expires.
    package let remaining: Duration

    /// Returns the ends of all certificates of the validated path, the anchor included, whose end every verifier
    /// judges; without a path, of the leaf alone. A certificate that has ended or that can't be read is another
    /// policy's matter.
    package static func all(in connection: ConnectionEvidence) -> [CertificateExpiry] {
        let path = connection.validated
        return (path ?? Array(connection.presented.prefix(1))).enumerated().compactMap { depth, index in
            let certificate = connection.certificates[index]
            guard let details = certificate.details else { return nil }
            let remaining = details.notAfter.timeIntervalSince(connection.instant)
            // A certificate is valid for the whole of its last second.
            guard remaining > -1 else { return nil }
            return CertificateExpiry(
                depth: depth, certificate: certificate, details: details,
                isAnchor: depth > 0 && depth + 1 == path?.count, remaining: .seconds(max(0, remaining.rounded(.down))))
        }
    }

    /// The time before its expiry from which a certificate is reported by default: two weeks, or the last third of a
    /// certificate's life if that is less than six weeks, since one of six days is renewed every few days and would
    /// always be reported.
    var usualNotice: Duration {
        let lifetime = details.notAfter.timeIntervalSince(details.notBefore) + 1
        return min(Self.longestNotice, .seconds(lifetime / 3))
    }

    private static let longestNotice: Duration = .seconds(14 * 86_400)

    /// A sentence that gives the time of expiry.
    package var message: String {
        "certificate \(depth), \(certificate.name), ends on \(RFC3339.format(details.notAfter)), in \(DurationText.words(remaining))"
    }

    /// The suggested fix.
    package var fix: Fix {
        CertificateRules.place(depth, isAnchor: isAnchor).renewal
    }
}
