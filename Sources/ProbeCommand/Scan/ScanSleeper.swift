import ProbeKit

/// Waits on the machine's clock, but not beyond the end of the scan.
struct ScanSleeper: Sleeper {
    /// Returns true if no work may begin any more.
    let isClosed: @Sendable () -> Bool

    /// The interval at which the end is checked for.
    private static let step = Duration.milliseconds(200)

    var now: ContinuousClock.Instant { .now }

    func sleep(until moment: ContinuousClock.Instant) async throws(CancellationError) {
        while now < moment, !isClosed() {
            try await ContinuousSleeper().sleep(until: min(moment, now + Self.step))
        }
    }
}
