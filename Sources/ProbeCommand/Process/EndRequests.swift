/// The requests to end that signals make. `timeout` and other supervisors signal a process and then its group: signals
/// that come shortly after the first are the same request.
struct EndRequests {
    /// The time after the first signal in which others are the same request.
    static let span = Duration.milliseconds(500)

    private var first: ContinuousClock.Instant?
    private var count = 0

    /// Returns the number of the request that a signal makes; nil if it belongs to the first one.
    mutating func number(ofSignalAt instant: ContinuousClock.Instant) -> Int? {
        if let first, first.duration(to: instant) < Self.span { return nil }
        first = first ?? instant
        count += 1
        return count
    }
}
