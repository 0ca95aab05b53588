import ProbeKit
import Synchronization

/// Runs work once for all callers that ask for it while it runs.
///
/// No caller owns the work: it runs as long as one of them waits for it, and is cancelled when the last one gives up.
/// That caller still waits for the work to end, so that everything is closed when its cancellation returns.
final class SingleFlight<Key: Hashable & Sendable, Value: Sendable>: Sendable {
    private struct Flight {
        let number: Int
        let task: Task<Void, Never>
        var waiters: [Int: CheckedContinuation<Value?, Never>] = [:]
    }

    private struct State {
        var count = 0
        /// The flights that can be joined.
        var current: [Key: Flight] = [:]
        /// Those whose last caller gave up, until they have ended.
        var abandoned: [Int: Flight] = [:]

        mutating func number() -> Int {
            count += 1
            return count
        }
    }

    private let state = Mutex(State())

    /// The number of callers that wait, for any key.
    var waiting: Int {
        state.withLock { state in
            let flights = Array(state.current.values) + Array(state.abandoned.values)
            return flights.reduce(0) { $0 + $1.waiters.count }
        }
    }

    /// The work ends by its own deadline, which is its first caller's: this is the time that it may be late.
    static var grace: Duration { .milliseconds(100) }

    /// Returns the value of the work in progress for a key, starting it if there is none; nil if the caller was
    /// cancelled or its deadline passed while others still wait.
    ///
    /// - Parameter deadline: the time until which the caller waits.
    func value(
        for key: Key, until deadline: Deadline, _ work: @escaping @Sendable () async -> Value
    ) async -> Value? {
        let caller = state.withLock { $0.number() }
        let alarm = Task {
            try await Task.sleep(until: deadline.instant + Self.grace)
            leave(key, caller)
        }
        defer { alarm.cancel() }
        return await withTaskCancellationHandler {
            await withCheckedContinuation { join(key, caller, until: deadline, $0, work) }
        } onCancel: {
            leave(key, caller)
        }
    }

    /// A caller that leaves takes the lock after its cancellation or its deadline, so either the cancellation is seen
    /// here, or the caller is found among those that wait.
    private func join(
        _ key: Key, _ caller: Int, until deadline: Deadline, _ continuation: CheckedContinuation<Value?, Never>,
        _ work: @escaping @Sendable () async -> Value
    ) {
        let isWaiting = state.withLock { state in
            guard !Task.isCancelled, deadline.remaining > .zero else { return false }
            if state.current[key] == nil {
                let number = state.number()
                state.current[key] = Flight(number: number, task: Task { self.land(key, number, await work()) })
            }
            state.current[key]?.waiters[caller] = continuation
            return true
        }
        if !isWaiting { continuation.resume(returning: nil) }
    }

    private func leave(_ key: Key, _ caller: Int) {
        let (continuation, task) = state.withLock {
            state -> (CheckedContinuation<Value?, Never>?, Task<Void, Never>?) in
            guard let flight = state.current[key], flight.waiters[caller] != nil else { return (nil, nil) }
            guard flight.waiters.count == 1 else {
                return (state.current[key]?.waiters.removeValue(forKey: caller), nil)
            }
            state.abandoned[flight.number] = state.current.removeValue(forKey: key)
            return (nil, flight.task)
        }
        continuation?.resume(returning: nil)
        task?.cancel()
    }

    private func land(_ key: Key, _ number: Int, _ value: Value) {
        let flight = state.withLock { state in
            if state.current[key]?.number == number { return state.current.removeValue(forKey: key) }
            return state.abandoned.removeValue(forKey: number)
        }
        for continuation in (flight?.waiters ?? [:]).values { continuation.resume(returning: value) }
    }
}
