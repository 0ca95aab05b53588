public import ProbePlatform

/// A period in which a certificate that is not the pinned one is tolerated, so that a renewal locks no client out
/// (requirements 9 to 16). Both ends are inclusive, to the second.
public struct TransitionWindow: Hashable, Sendable {
    /// The condition that a certificate that is not the pinned one still has to meet (decided: alternate-keys).
    public enum Fallback: String, Hashable, Sendable, Codable, CaseIterable {
        /// The chain, and a key pin of every other group: if these pin the leaf, its key was pinned beforehand; if they
        /// pin a CA's, any certificate that it issues for the name is accepted.
        case alternate
        /// The chain alone: any certificate that a CA issued for the name.
        case system
    }

    /// The tolerance if the server does not report its time (decided: missing-date).
    public enum MissingDate: String, Hashable, Sendable, Codable, CaseIterable {
        /// There is no tolerance.
        case strict
        /// The tolerance remains.
        case lenient
    }

    /// The clocks of client and server may be this far apart; a second more ends the tolerance (decided: clock-skew).
    public static let defaultMaximumSkew: Int = 300

    /// The first second of the window.
    public let start: Date
    /// The last second of the window.
    public let end: Date
    /// The condition that the certificate has to meet instead.
    public let fallback: Fallback
    /// The largest accepted difference between the server's clock and ours, in seconds, either way.
    public let maximumSkew: Int
    /// The tolerance without a server's `Date`.
    public let onMissingDate: MissingDate

    /// Creates a window.
    public init(
        start: Date, end: Date, fallback: Fallback = .alternate, maximumSkew: Int = defaultMaximumSkew,
        onMissingDate: MissingDate = .strict
    ) {
        self.start = start
        self.end = end
        self.fallback = fallback
        self.maximumSkew = maximumSkew
        self.onMissingDate = onMissingDate
    }

    /// Returns true if the second that contains an instant is in the window.
    public func contains(_ instant: Date) -> Bool {
        let second = instant.timeIntervalSince1970.rounded(.down)
        return start.timeIntervalSince1970 <= second && second <= end.timeIntervalSince1970
    }
}
