import CoreFoundation
import Foundation
import Synchronization

/// Measures time for an upper bound of a test: as many turns as this process got meanwhile.
///
/// A busy machine gives a process few turns and little time to be quick in, so that the bound holds there too. A wait that
/// is really too long takes too many turns on any machine.
public final class Stopwatch: Sendable {
    private static let turn = Duration.milliseconds(20)
    private let turns = Mutex(0)
    private let counting = Mutex<Task<Void, Never>?>(nil)

    /// Starts it.
    public init() {
        let task = Task { [weak self] in
            while !Task.isCancelled {
                try? await Task.sleep(for: Self.turn)
                guard let self else { return }
                turns.withLock { $0 += 1 }
            }
        }
        counting.withLock { $0 = task }
    }

    deinit { counting.withLock { $0?.cancel() } }

    /// The time in turns of 20 milliseconds since the start.
    public var elapsed: Duration { Self.turn * turns.withLock { $0 } }

    /// Returns the time of a body in turns.
    public static func measure(_ body: () async throws -> Void) async rethrows -> Duration {
        let watch = Stopwatch()
        try await body()
        return watch.elapsed
    }

    /// Returns the processor time that this thread needs for a body.
    public static func processorTime(_ body: () throws -> Void) rethrows -> Duration {
        let start = thread()
        try body()
        return thread() - start
    }

    private static func thread() -> Duration {
        var now = timespec()
        guard unsafe clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now) == 0 else { return .zero }
        return .seconds(now.tv_sec) + .nanoseconds(now.tv_nsec)
    }
}
