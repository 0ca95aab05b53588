/// Keeps a distance between the probes of one host (requirement 77); hosts do not wait for each other.
public actor RateLimiter {
    /// The least time from the beginning of one probe of a host to that of the next.
    public nonisolated let spacing: Duration
    private let sleeper: any Sleeper
    /// When each host may be probed again.
    private var free: [String: ContinuousClock.Instant] = [:]

    /// A limiter.
    ///
    /// - Parameters:
    ///   - spacing: the least distance.
    ///   - sleeper: who waits.
    public init(spacing: Duration = .milliseconds(100), sleeper: any Sleeper = ContinuousSleeper()) {
        self.spacing = spacing
        self.sleeper = sleeper
    }

    /// Returns when the host may be probed, and counts the probe. Whoever asks first goes first. A cancelled task waits no
    /// longer.
    public func turn(for host: String) async {
        let now = sleeper.now
        let moment = max(now, free[host] ?? now)
        free[host] = moment + spacing
        guard moment > now else { return }
        ProbeLog(.rateLimiter).debug("waiting \(now.duration(to: moment)) before \(public: host)")
        try? await sleeper.sleep(until: moment)
    }

    /// Returns when a target's host may be probed.
    public func turn(for host: ServerName) async {
        await turn(for: host.description)
    }
}
