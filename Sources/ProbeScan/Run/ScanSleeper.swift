public import ProbeRun

/// Waits on the machine's clock, but not beyond the end of the scan.
public struct ScanSleeper: Sleeper {
    private let isClosed: @Sendable () -> Bool

    /// The interval at which the end is checked for.
    private static let step = Duration.milliseconds(200)

    /// Creates the waits of a scan.
    ///
    /// - Parameter isClosed: returns true if no work may begin any more.
    public init(isClosed: @escaping @Sendable () -> Bool) { self.isClosed = isClosed }

    /// The moment it is.
    public var now: ContinuousClock.Instant { .now }

    /// Returns at a moment, or a fifth of a second after the end of the scan.
    public func sleep(until moment: ContinuousClock.Instant) async throws(CancellationError) {
        while now < moment, !isClosed() {
            try await ContinuousSleeper().sleep(until: min(moment, now + Self.step))
        }
    }
}
