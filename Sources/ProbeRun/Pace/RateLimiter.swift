public import ProbeKit

/// Keeps a distance between the probes of one host (requirement 77); hosts do not wait for each other.
public actor RateLimiter {
    /// The minimum time from the beginning of one probe of a host to that of the next.
    public nonisolated let spacing: Duration
    private let sleeper: any Sleeper
    /// The time at which each host may be probed again.
    private var free: [String: ContinuousClock.Instant] = [:]
    /// The number of hosts at which those that may be probed at once are forgotten, so that a long list takes no
    /// memory.
    private var sweepSize = minimalSweepSize
    private static let minimalSweepSize = 1024

    /// Creates a limiter.
    ///
    /// - Parameters:
    ///   - spacing: the least distance.
    ///   - sleeper: who waits.
    public init(spacing: Duration = .milliseconds(100), sleeper: any Sleeper = ContinuousSleeper()) {
        self.spacing = spacing
        self.sleeper = sleeper
    }

    /// Returns when the host may be probed, and counts the probe. Callers are served in order. A cancelled task stops
    /// waiting.
    public func turn(for host: String) async {
        await turn(for: [host])
    }

    /// Returns when all of the hosts may be probed, and counts a probe of each: of a name's addresses one will be dialled.
    public func turn(for hosts: [String]) async {
        let now = sleeper.now
        let moment = hosts.compactMap { free[$0] }.reduce(now, max)
        for host in hosts { free[host] = moment + spacing }
        sweep(at: now)
        guard moment > now else { return }
        let names = hosts.joined(separator: ", ")
        ProbeLog(.rateLimiter).debug("waiting \(now.duration(to: moment)) before \(public: names)")
        try? await sleeper.sleep(until: moment)
    }

    /// The number of remembered hosts.
    var remembered: Int { free.count }

    /// Forgets the hosts that may be probed at once, each time that twice as many as were left have gathered.
    private func sweep(at now: ContinuousClock.Instant) {
        guard free.count >= sweepSize else { return }
        free = free.filter { $0.value > now }
        sweepSize = max(Self.minimalSweepSize, 2 * free.count)
    }

    /// Returns when a target's host may be probed.
    public func turn(for host: ServerName) async {
        await turn(for: host.description)
    }
}

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
