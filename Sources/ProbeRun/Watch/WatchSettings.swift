/// How a watch goes about its rounds.
public struct WatchSettings: Sendable {
    /// From the beginning of one round to that of the next (requirement 44).
    public var period: Duration
    /// The part of the period by which each may be longer or shorter, 0 to 1: so that watches do not fall into step.
    public var jitter: Double
    /// The wait after the first transient failure; it doubles four times at most (requirement 77).
    public var backoff: Duration
    /// How many times a subject is probed in one round when it fails transiently (requirement 77).
    public var tries: Int
    /// How many rounds there are; nil goes on until the task is cancelled.
    public var rounds: Int?
    /// How long before certificates and pins run out that is told (requirement 69).
    public var warnBefore: Duration
    /// How many checks are probed at once.
    public var width: Int

    /// The longest `Retry-After` that is honoured: a watch must not be sent to sleep for good.
    public static let longestRetryAfter: Duration = .seconds(86_400)

    /// Settings of their parts.
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

    /// How long to wait after a transient failure, the `count`th of a round: base × 2^min(n−1, 4), a period at most.
    func wait(afterFailure count: Int) -> Duration {
        min(backoff * (1 << min(max(count, 1) - 1, 4)), period)
    }
}
