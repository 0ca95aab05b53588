public import FoundationEssentials

/// A finding that is known before anything is sent, like a profile without pins for a host.
public struct Announced: Policy {
    private let finding: Finding

    /// Always finds this.
    public init(_ finding: Finding) {
        self.finding = finding
    }

    /// Returns the finding, whatever the evidence.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] { [finding] }
}
