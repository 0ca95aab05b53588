public import ProbePlatform

/// The one clock that decides validity (decided: one-clock): the system's, or any instant a test or `--at` gives.
///
/// Waiting is another matter: it is bounded by ``Deadline`` on the monotonic clock.
public struct ProbeClock: Sendable {
    private let read: @Sendable () -> Date

    /// Creates a clock that reads the time from `now`.
    public init(now: @escaping @Sendable () -> Date) {
        read = now
    }

    /// The instant the clock shows.
    public var now: Date { read() }

    /// The system's wall clock.
    public static let system = ProbeClock { Date.now }

    /// Returns a clock that stands still at `instant`.
    public static func fixed(_ instant: Date) -> ProbeClock {
        ProbeClock { instant }
    }
}
