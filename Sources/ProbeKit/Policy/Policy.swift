public import FoundationEssentials

/// A demand on the evidence: a pure function to findings, which never throws and never looks anything up.
public protocol Policy: Sendable {
    /// What there is to say about the evidence.
    ///
    /// - Parameters:
    ///   - evidence: the facts; a policy whose facts are missing says nothing, since the stage before has said why.
    ///   - instant: the clock's instant, for demands that depend on it.
    /// - Returns: findings in the order a person should read them; an empty list means satisfied.
    func judge(_ evidence: Evidence, at instant: Date) -> [Finding]
}
