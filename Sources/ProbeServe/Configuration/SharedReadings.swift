import Dispatch
import ProbeKit
import ServiceLifecycle
import Synchronization

/// Readings that may block indefinitely, each on a thread of its own: Swift's few threads are for tasks, and a pipe that
/// nobody writes to or a mount that hangs would keep them from all others.
///
/// A caller has the result of a reading that began after it asked, so that it sees every change from before. At most two
/// run at once; those who ask meanwhile share the next one, which begins when one of the two ends.
final class SharedReadings: Sendable {
    typealias Reading = @Sendable () throws(InputError) -> Void

    /// The end of a caller's wait.
    enum Outcome {
        case read(Result<Void, InputError>)
        /// The deadline passed, the task was cancelled or the server began to end before: the reading goes on.
        case unfinished
        /// The same, and the reading waits for two that hang.
        case notBegun
    }

    private struct Caller {
        let reading: Int
        let continuation: CheckedContinuation<Outcome, Never>
    }

    private struct State {
        var last = 0
        var running = 0
        /// The reading that begins when one of those that run ends.
        var next: (number: Int, read: Reading)?
        var callers: [Int: Caller] = [:]

        /// Returns a number that no other caller or reading has.
        mutating func number() -> Int {
            last += 1
            return last
        }
    }

    /// Two, so that one that hangs is followed by one that finds the file which has replaced the pipe.
    private static let mostAtOnce = 2

    private let state = Mutex(State())

    /// The number of callers that wait.
    var waiting: Int { state.withLock(\.callers.count) }

    /// Returns the outcome of a reading, which is waited for until the deadline.
    func outcome(by deadline: Deadline, of read: @escaping Reading) async -> Outcome {
        let caller = state.withLock { $0.number() }
        let alarm = Task {
            try? await Task.sleep(until: deadline.instant, clock: .continuous)
            leave(caller)
        }
        defer { alarm.cancel() }
        return await withTaskCancellationOrGracefulShutdownHandler {
            await withCheckedContinuation { continuation in
                join(caller, continuation, read)
                // The alarm or the handler may have come too early to find the caller. The lock is not held here: handlers
                // run with another one held, which this question takes.
                if deadline.remaining == .zero || Task.isCancelled || Task.isShuttingDownGracefully { leave(caller) }
            }
        } onCancelOrGracefulShutdown: {
            self.leave(caller)
        }
    }

    private func join(
        _ caller: Int, _ continuation: CheckedContinuation<Outcome, Never>, _ read: @escaping Reading
    ) {
        let begun = state.withLock { state -> Int? in
            let reading = state.next?.number ?? state.number()
            state.callers[caller] = Caller(reading: reading, continuation: continuation)
            guard state.running < Self.mostAtOnce else {
                state.next = (reading, read)
                return nil
            }
            state.running += 1
            return reading
        }
        if let begun { begin(begun, read) }
    }

    private func leave(_ caller: Int) {
        let (leaving, waits) = state.withLock { state in
            let leaving = state.callers.removeValue(forKey: caller)
            return (leaving, leaving.map { $0.reading == state.next?.number } ?? false)
        }
        leaving?.continuation.resume(returning: waits ? .notBegun : .unfinished)
    }

    private func begin(_ reading: Int, _ read: @escaping Reading) {
        // A serial queue of its own has a thread of its own, however many others are blocked.
        DispatchQueue(label: "probe.serve.configuration").async {
            self.end(reading, Result { () throws(InputError) in try read() })
        }
    }

    private func end(_ reading: Int, _ result: Result<Void, InputError>) {
        let (next, answered) = state.withLock { state in
            let answered = state.callers.filter { $0.value.reading == reading }
            for caller in answered.keys { state.callers[caller] = nil }
            let next = state.next
            state.next = nil
            // The next one takes the place of this one.
            if next == nil { state.running -= 1 }
            return (next, answered.values.map(\.continuation))
        }
        if let next { begin(next.number, next.read) }
        for continuation in answered { continuation.resume(returning: .read(result)) }
    }
}
