import ProbeKit

/// Waits on the machine's clock, and no longer than the scan goes on.
struct ScanSleeper: Sleeper {
    /// Whether nothing more may begin.
    let isClosed: @Sendable () -> Bool

    /// How soon the end is noticed.
    private static let step = Duration.milliseconds(200)

    var now: ContinuousClock.Instant { .now }

    func sleep(until moment: ContinuousClock.Instant) async throws(CancellationError) {
        while now < moment, !isClosed() {
            try await ContinuousSleeper().sleep(until: min(moment, now + Self.step))
        }
    }
}
