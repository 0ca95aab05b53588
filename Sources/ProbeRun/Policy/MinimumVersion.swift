public import ProbeKit
public import ProbePlatform

/// Requires a minimum negotiated version, which is 1.2 unless a profile or an option sets another (decided:
/// minimum-version).
public struct MinimumVersion: Policy {
    private let minimum: TLSVersion

    /// Creates a policy that requires this version.
    public init(_ minimum: TLSVersion) {
        self.minimum = minimum
    }

    /// Returns one error for an older version.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let report = evidence.connection?.report, evidence.connection?.missing.isEmpty == true else { return [] }
        guard let version = report.version else {
            return report.failure == nil && !report.isSupplied ? [unread] : []
        }
        guard version < minimum else { return [] }
        return [
            .error(
                .tlsPolicyFailed, code: "tls-version", stage: .tls,
                "the server chose \(version.rawValue), the policy demands \(minimum.rawValue)",
                fix: "enable \(minimum.rawValue) on the server")
        ]
    }

    /// A handshake without a version must not pass for a new one.
    private var unread: Finding {
        .error(
            .internalError, code: "version-unread", stage: .tls,
            "the handshake was completed and its version not reported", fix: "report this as a fault of the backend")
    }
}
