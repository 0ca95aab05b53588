public import ProbeKit
public import ProbePlatform

/// One change (requirement 51).
public struct StatusChange: Sendable {
    /// The kind of a change.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// The subject has another status; its first status is one too.
        case status
        /// It passes again after it could not be reached.
        case recovered
        /// It has the status it will keep: it is not probed any more (requirement 20, decided: terminal-states).
        case terminal
        /// It passes as before, and the server shows other facts than before, twice (requirement 74).
        case drift
        /// A certificate or pins expire soon (requirement 69).
        case expiring
    }

    /// The kind of change.
    public let kind: Kind
    /// The time at which it was seen.
    public let time: Date
    /// The subject of the change.
    public let subject: WatchSubject
    /// The outcome before; nil if this is the first.
    public let from: Outcome?
    /// The outcome now.
    public let to: Outcome
    /// The finding that explains it; nil if the subject simply passes.
    public let finding: Finding?
    /// The whole result it was read from.
    public let result: ProbeResult

    /// Creates a change.
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
