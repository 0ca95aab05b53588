public import FoundationEssentials

/// A rule for the evidence: a pure function to findings, which never throws and never looks anything up.
public protocol Policy: Sendable {
    /// Returns the findings for this evidence.
    ///
    /// - Parameters:
    ///   - evidence: the facts; a policy whose facts are missing returns nothing, since an earlier stage has reported
    ///     why.
    ///   - instant: the clock's instant, for rules that depend on it.
    /// - Returns: findings in reading order; an empty list means satisfied.
    func judge(_ evidence: Evidence, at instant: Date) -> [Finding]
}
