import Foundation
import Synchronization

/// Measures time for an upper bound of a test: as many turns as this process got meanwhile.
///
/// A busy machine gives a process few turns and little time to be quick in, so that the bound holds there too. A wait that
/// is really too long takes too many turns on any machine. A thread of its own counts them: a task would share Swift's
/// threads with the measured code, and count nothing while that occupies them. Code that computes has `processorTime`.
public final class Stopwatch: Sendable {
    private static let turn = Duration.milliseconds(20)
    private let counter = Counter()

    /// Starts it.
    public init() {
        // The thread has the counter alone, so that a stopwatch that goes out of use ends it.
        Thread.detachNewThread { [counter] in counter.run() }
    }

    deinit { counter.stop() }

    /// The time in turns of 20 milliseconds since the start.
    public var elapsed: Duration { Self.turn * counter.turns }

    /// Returns the time of a body in turns.
    public static func measure(_ body: () async throws -> Void) async rethrows -> Duration {
        let watch = Stopwatch()
        try await body()
        return watch.elapsed
    }

    private final class Counter: Sendable {
        private let state = Mutex((turns: 0, isStopped: false))

        var turns: Int { state.withLock(\.turns) }

        func stop() { state.withLock { $0.isStopped = true } }

        func run() {
            while !state.withLock(\.isStopped) {
                Thread.sleep(forTimeInterval: 0.02)
                state.withLock { $0.turns += 1 }
            }
        }
    }
}
