/// The requests to end that signals make. `timeout` and other supervisors signal a process and then its group: signals
/// that come shortly after the first are the same request.
struct EndRequests {
    /// The time after the first signal in which others are the same request.
    static let span = Duration.milliseconds(500)

    private var first: (signal: Int32, instant: ContinuousClock.Instant)?
    private var count = 0

    /// Returns the number of the request that a signal makes, with the first request's signal, which decides the exit code; nil
    /// if it belongs to the first one.
    mutating func request(of signal: Int32, at instant: ContinuousClock.Instant) -> (signal: Int32, number: Int)? {
        if let first, first.instant.duration(to: instant) < Self.span { return nil }
        let begun = first ?? (signal: signal, instant: instant)
        first = begun
        count += 1
        return (begun.signal, count)
    }
}
