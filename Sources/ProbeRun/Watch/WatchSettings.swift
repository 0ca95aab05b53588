/// The schedule and retries of a watch.
public struct WatchSettings: Sendable {
    /// The time from the beginning of one round to that of the next (requirement 44).
    public var period: Duration
    /// The part of the period by which each may be longer or shorter, so that watches do not synchronize: 0 to 1. Values
    /// beyond count as the nearer end, and one that is not finite as 0.
    public var jitter: Double
    /// The wait after the first transient failure; it doubles at most four times (requirement 77).
    public var backoff: Duration
    /// The number of probes of a subject in one round if it fails transiently (requirement 77).
    public var tries: Int
    /// The number of rounds; nil goes on until the task is cancelled.
    public var rounds: Int?
    /// The time before certificates and pins expire at which that is reported (requirement 69).
    public var warnBefore: Duration
    /// The number of checks probed at once.
    public var width: Int

    /// The longest honoured `Retry-After`: a server must not be able to stop a watch.
    public static let longestRetryAfter: Duration = .seconds(86_400)

    /// Creates settings.
    public init(
        period: Duration = .seconds(600), jitter: Double = 0.1, backoff: Duration = .seconds(5), tries: Int = 5,
        rounds: Int? = nil, warnBefore: Duration = .seconds(21 * 86_400), width: Int = 16
    ) {
        self.period = period
        self.jitter = jitter
        self.backoff = backoff
        self.tries = tries
        self.rounds = rounds
        self.warnBefore = warnBefore
        self.width = width
    }

    /// The jitter within its bounds: a period must not be negative.
    var boundedJitter: Double { jitter.isFinite ? min(max(jitter, 0), 1) : 0 }

    /// Returns the wait after a transient failure, the `count`th of a round: base × 2^min(n−1, 4), at most a period.
    func wait(afterFailure count: Int) -> Duration {
        min(backoff * (1 << min(max(count, 1) - 1, 4)), period)
    }
}
