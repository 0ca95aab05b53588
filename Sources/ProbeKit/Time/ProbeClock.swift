public import ProbePlatform

/// The one clock that decides validity (decided: one-clock): the system's, or any instant a test or `--at` gives.
///
/// Waiting is another matter: it is bounded by ``Deadline`` on the monotonic clock.
public struct ProbeClock: Sendable {
    private let read: @Sendable () -> Date
    /// True if the clock stands still at a chosen instant.
    package let isFixed: Bool

    /// Creates a clock that reads the time from `now`.
    public init(now: @escaping @Sendable () -> Date) {
        self.init(now: now, isFixed: false)
    }

    private init(now: @escaping @Sendable () -> Date, isFixed: Bool) {
        read = now
        self.isFixed = isFixed
    }

    /// The instant the clock shows.
    public var now: Date { read() }

    /// The system's wall clock.
    public static let system = ProbeClock { Date.now }

    /// Returns a clock that stands still at `instant`.
    public static func fixed(_ instant: Date) -> ProbeClock {
        ProbeClock(now: { instant }, isFixed: true)
    }
}

/// The moment after which a caller no longer waits, on the monotonic clock.
public struct Deadline: Hashable, Sendable, Comparable {
    /// The end of the part of a probe that the task works for, for the questions to a backend that have none of their own: the
    /// probe's deadline, or some seconds more where a handshake took all of it. It is nil outside of a probe, and where a
    /// client's verifier is asked about what a probe has seen.
    @TaskLocal package static var ofProbe: Deadline?

    /// The moment itself.
    public let instant: ContinuousClock.Instant

    /// Creates a deadline at `instant`.
    public init(at instant: ContinuousClock.Instant) {
        self.instant = instant
    }

    /// Returns a deadline `duration` from now.
    public static func after(_ duration: Duration) -> Deadline {
        Deadline(at: .now + duration)
    }

    /// The time left: zero once the deadline has passed, and at most a day, which every timer supports.
    public var remaining: Duration { min(max(.zero, ContinuousClock.now.duration(to: instant)), .seconds(86_400)) }

    /// Returns the deadline of the first of several tasks that follow each other and end by this one: each has an equal part
    /// of the time.
    package func share(among count: Int) -> Deadline { min(self, .after(remaining / count)) }

    /// Returns true if the left deadline is earlier.
    public static func < (left: Deadline, right: Deadline) -> Bool { left.instant < right.instant }
}
