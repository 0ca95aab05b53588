import Foundation
import ProbeKit
import ProbeRun
import Synchronization

/// Time that passes when a task waits for it: hours in no time at all.
final class VirtualTime: Sleeper {
    private let start = ContinuousClock.now
    private let epoch: Date
    private let state: Mutex<ContinuousClock.Instant>

    init(epoch: Date) {
        self.epoch = epoch
        state = Mutex(start)
    }

    var now: ContinuousClock.Instant { state.withLock { $0 } }

    /// The elapsed time.
    var elapsed: Duration { start.duration(to: now) }

    func sleep(until moment: ContinuousClock.Instant) async throws(CancellationError) {
        if Task.isCancelled { throw CancellationError() }
        state.withLock { $0 = max($0, moment) }
    }

    /// The wall clock that goes with it.
    var clock: ProbeClock { ProbeClock { self.epoch.addingTimeInterval(self.elapsed.inSeconds) } }
}
