import NIOCore
import NIOPosix
public import ProbeKit
import Synchronization

/// The lateness of the event loops and of Swift's threads, which all handshakes share.
///
/// While something is measured, each of them is asked to be there every 25 milliseconds, and what it is late then is lost
/// time. Nothing runs while nothing is measured.
public final class ProcessLateness: LatenessMeter {
    /// The meter of this process.
    public static let shared = ProcessLateness()

    /// One queue of work: an event loop, or Swift's threads.
    private struct Queue {
        /// The next time it is to be there.
        var expected: ContinuousClock.Instant
        /// The time it lost so far.
        var lost = Duration.zero
        /// The time by which it was late the last time.
        var last = Duration.zero

        func lateness(at now: ContinuousClock.Instant) -> Duration {
            max(.zero, now - expected - ProcessLateness.tolerance)
        }
    }

    private struct State {
        var users = 0
        /// Distinguishes the ticks of this run from those of an earlier one that are still to come.
        var run = 0
        var queues: [Queue] = []
    }

    private static let period = Duration.milliseconds(25)
    /// The time by which timers may be late without anybody being slow.
    private static let tolerance = Duration.milliseconds(10)
    private let state = Mutex(State())

    private init() {}

    /// Begins a measurement.
    public func begin() -> [Duration] {
        let (start, run) = state.withLock { state -> ([Duration], Int?) in
            state.users += 1
            guard state.users == 1 else { return (Self.lost(state), nil) }
            state.run += 1
            let count = MultiThreadedEventLoopGroup.singleton.makeIterator().reduce(1) { count, _ in count + 1 }
            state.queues = Array(repeating: Queue(expected: .now + Self.period), count: count)
            return (Self.lost(state), state.run)
        }
        if let run { watch(run) }
        return start
    }

    /// Ends a measurement, and returns the most that one of the queues lost since.
    public func end(_ start: [Duration]) -> Duration {
        state.withLock { state in
            state.users -= 1
            return zip(Self.lost(state), start).map { $0 - $1 }.max() ?? .zero
        }
    }

    /// The lateness of the latest of the queues now; zero while nothing is measured.
    public var current: Duration {
        state.withLock { state in
            guard state.users > 0 else { return .zero }
            let now = ContinuousClock.now
            return state.queues.map { max($0.last, $0.lateness(at: now)) }.max() ?? .zero
        }
    }

    /// Returns the time that each queue lost so far, with the time by which it is overdue.
    private static func lost(_ state: State) -> [Duration] {
        let now = ContinuousClock.now
        return state.queues.map { $0.lost + $0.lateness(at: now) }
    }

    private func watch(_ run: Int) {
        for (index, loop) in MultiThreadedEventLoopGroup.singleton.makeIterator().enumerated() {
            tick(run, index + 1, on: loop)
        }
        Task { [self] in
            while note(run, 0) { try? await Task.sleep(for: Self.period) }
        }
    }

    private func tick(_ run: Int, _ index: Int, on loop: any EventLoop) {
        loop.scheduleTask(in: TimeAmount(Self.period)) { [self] in
            if note(run, index) { tick(run, index, on: loop) }
        }
    }

    /// Notes that a queue is there, and returns whether it is to be there again.
    private func note(_ run: Int, _ index: Int) -> Bool {
        state.withLock { state in
            guard state.run == run, state.users > 0 else { return false }
            let now = ContinuousClock.now
            let late = state.queues[index].lateness(at: now)
            state.queues[index].lost += late
            state.queues[index].last = late
            state.queues[index].expected = now + Self.period
            return true
        }
    }
}
