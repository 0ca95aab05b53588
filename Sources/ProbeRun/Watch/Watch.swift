public import ProbeKit
public import ProbeTrust

/// Checks that are repeated, as a sequence of their changes (requirements 44, 51).
///
///     for await change in Watch([WatchedCheck(check, through: [OpenSSLTransport()])]) {
///         print(change.subject, change.to)
///     }
///
/// The sequence ends when every subject has a final status, when its rounds are over, or when the task is cancelled;
/// probes in progress are finished and reported first. Each iteration is a watch of its own. Nothing is probed while no
/// caller waits for the next change.
public struct Watch: AsyncSequence, Sendable {
    /// The element of the sequence.
    public typealias Element = StatusChange
    /// It never fails: a fault is a status.
    public typealias Failure = Never

    let checks: [WatchedCheck]
    let settings: WatchSettings
    let clock: ProbeClock
    let sleeper: any Sleeper
    let limiter: RateLimiter
    let reference: ReferenceVerifier
    let baselines: any BaselineStore
    let modelCache: (any SuccessCache)?
    let pinCache: (any SuccessCache)?
    let lateness: (any LatenessMeter)?
    let random: any RandomNumberGenerator & Sendable

    /// Creates a watch.
    ///
    /// - Parameters:
    ///   - checks: the watched checks.
    ///   - settings: the intervals and retries.
    ///   - clock: the clock for validity.
    ///   - sleeper: waits between probes.
    ///   - spacing: the least time between two probes of one host (requirement 77).
    ///   - baselines: the store of the last good facts.
    ///   - modelCache: remembers listed models, see ``Prober``.
    ///   - pinCache: remembers connections that passed, likewise.
    ///   - lateness: measures how late this process is itself, likewise.
    ///   - random: the source of jitter.
    public init(
        _ checks: [WatchedCheck], settings: WatchSettings = WatchSettings(), clock: ProbeClock = .system,
        sleeper: any Sleeper = ContinuousSleeper(), spacing: Duration = .milliseconds(100),
        reference: ReferenceVerifier = ReferenceVerifier(), baselines: any BaselineStore = MemoryBaselines(),
        modelCache: (any SuccessCache)? = nil, pinCache: (any SuccessCache)? = nil,
        lateness: (any LatenessMeter)? = nil,
        random: any RandomNumberGenerator & Sendable = SystemRandomNumberGenerator()
    ) {
        self.checks = checks
        self.settings = settings
        self.clock = clock
        self.sleeper = sleeper
        self.reference = reference
        self.baselines = baselines
        self.modelCache = modelCache
        self.pinCache = pinCache
        self.lateness = lateness
        self.random = random
        limiter = RateLimiter(spacing: spacing, sleeper: sleeper)
    }

    /// Everything that will have a status.
    public var subjects: Set<WatchSubject> { Set(checks.flatMap(\.subjects)) }

    /// Begins to watch.
    public func makeAsyncIterator() -> Iterator { Iterator(WatchRun(self)) }

    /// The changes of one watch, as they come.
    public struct Iterator: AsyncIteratorProtocol {
        private let run: WatchRun
        private var pending: ArraySlice<StatusChange> = []

        fileprivate init(_ run: WatchRun) {
            self.run = run
        }

        /// Returns the next change; nil if the watch is over.
        public mutating func next() async -> StatusChange? {
            while pending.isEmpty {
                guard let changes = await run.next() else { return nil }
                pending = changes[...]
            }
            return pending.removeFirst()
        }

        /// The next changes that came of one round of probes; nil when the watch is over.
        public mutating func nextRound() async -> [StatusChange]? {
            while pending.isEmpty {
                guard let changes = await run.next() else { return nil }
                pending = changes[...]
            }
            defer { pending = [] }
            return Array(pending)
        }

        /// Remembers that all changes so far were dealt with, as asking for the next ones does.
        public func finish() async { await run.keepBaselines() }
    }
}

@available(*, unavailable) extension Watch.Iterator: Sendable {}
