public import ProbeKit

extension ModelEvidence.Answer {
    /// The server's own account that it kept this answer beyond its time; nil where there is none.
    ///
    /// libunbound hides the OPT record, so that the direct exchange with the same server speaks for it.
    public var staleness: ExtendedDNSError? {
        guard let server else { return nil }
        return report.attempts.lazy.filter { $0.server == server }.flatMap(\.extendedErrors).first(where: \.isStale)
    }
}

extension ModelEvidence {
    /// True if a later check may reuse this answer: the model is in every record of a list that is not stale.
    package var isMemorable: Bool {
        guard let deciding, case .listed = deciding.reading else { return false }
        return deciding.staleness == nil
    }
}
