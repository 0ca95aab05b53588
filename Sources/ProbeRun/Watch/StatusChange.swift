public import FoundationEssentials

public import ProbeKit
/// One thing that changed, and nothing that stayed as it was (requirement 51).
public struct StatusChange: Sendable {
    /// What kind of change it is.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// The subject has another status; its first status is one too.
        case status
        /// It passes again after it could not be reached.
        case recovered
        /// It has the status it will keep: it is not probed any more (requirement 20, decision K11).
        case terminal
        /// It passes as before, and the server shows something else than it did, twice (requirement 74).
        case drift
        /// A certificate or pins run out soon (requirement 69).
        case expiring
    }

    /// What kind of change it is.
    public let kind: Kind
    /// When it was seen.
    public let time: Date
    /// What it is about.
    public let subject: WatchSubject
    /// The outcome before; nil where this is the first.
    public let from: Outcome?
    /// The outcome now.
    public let to: Outcome
    /// The finding that explains it; nil where the subject simply passes.
    public let finding: Finding?
    /// The whole result it was read from.
    public let result: ProbeResult

    /// A change of its parts.
    public init(
        kind: Kind, time: Date, subject: WatchSubject, from: Outcome?, to: Outcome, finding: Finding?,
        result: ProbeResult
    ) {
        self.kind = kind
        self.time = time
        self.subject = subject
        self.from = from
        self.to = to
        self.finding = finding
        self.result = result
    }
}
