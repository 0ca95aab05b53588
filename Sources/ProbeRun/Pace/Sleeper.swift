/// The source of waits: the machine's own clock, or a test in which hours pass at once.
///
/// It is independent of `ProbeClock`, the clock for validity periods.
public protocol Sleeper: Sendable {
    /// The current moment, on a clock that never goes back.
    var now: ContinuousClock.Instant { get }

    /// Returns at a moment, immediately if it has passed.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before.
    func sleep(until moment: ContinuousClock.Instant) async throws(CancellationError)
}

/// The machine's monotonic clock.
public struct ContinuousSleeper: Sleeper {
    /// Creates the clock; it has no settings.
    public init() {}

    /// The moment it is.
    public var now: ContinuousClock.Instant { .now }

    /// Returns at a moment.
    public func sleep(until moment: ContinuousClock.Instant) async throws(CancellationError) {
        do {
            try await ContinuousClock().sleep(until: moment)
        } catch {
            throw CancellationError()
        }
    }
}
