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
