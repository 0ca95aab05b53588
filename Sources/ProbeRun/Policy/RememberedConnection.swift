public import ProbeKit
public import ProbePlatform

/// Reports that some requests of a connection were skipped, because the same check passed a short while ago.
public struct RememberedConnection: Policy {
    /// Creates the policy; it has no settings.
    public init() {}

    /// Returns a note with the time of that success.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        guard let last = evidence.connection?.remembered else { return [] }
        let age = max(0, Int(instant.timeIntervalSince(last)))
        return [
            .note(
                "connection-cached", stage: .pins,
                "the same check passed with these certificates at \(RFC3339.format(last)), \(age) s ago; neither the server's time nor the library's own pin check was asked for again"
            )
        ]
    }
}
