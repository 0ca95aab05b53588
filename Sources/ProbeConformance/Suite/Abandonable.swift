import Synchronization

/// Work that is abandoned after a while, even if it ignores its cancellation: the author of a backend may have
/// forgotten deadlines.
enum Abandonable {
    /// The time passes in turns of this length: a process that does not get its turns has not waited for anybody.
    private static let turn = Duration.milliseconds(50)

    /// Returns the value of the work; nil if it took longer than `limit`. It is then cancelled, and not waited for.
    ///
    /// - Parameter work: may begin its time anew, with another limit.
    static func run<Value: Sendable>(
        within limit: Duration,
        _ work: @escaping @Sendable (_ extend: @escaping @Sendable (Duration) -> Void) async -> Value
    ) async -> Value? {
        let first = First<Value>()
        let time = Time(limit)
        let worker = Task { first.settle(await work { time.begin($0) }) }
        let clock = Task {
            while time.isLeft, !Task.isCancelled {
                try? await Task.sleep(for: turn)
                time.pass(turn)
            }
            first.settle(nil)
        }
        return await withTaskCancellationHandler {
            let value = await first.value
            worker.cancel()
            clock.cancel()
            return value
        } onCancel: {
            worker.cancel()
        }
    }

    /// The time that is left.
    private final class Time: Sendable {
        private let left: Mutex<Duration>

        init(_ limit: Duration) { left = Mutex(limit) }

        var isLeft: Bool { left.withLock { $0 > .zero } }

        func begin(_ limit: Duration) { left.withLock { $0 = limit } }

        func pass(_ turn: Duration) { left.withLock { $0 -= turn } }
    }

    /// The first of two ends.
    private final class First<Value: Sendable>: Sendable {
        private enum State {
            case open
            case awaited(CheckedContinuation<Value?, Never>)
            case settled(Value?)
        }

        private let state = Mutex(State.open)

        func settle(_ value: Value?) {
            let waiting = state.withLock { state -> CheckedContinuation<Value?, Never>? in
                switch state {
                case .settled: return nil
                case .open:
                    state = .settled(value)
                    return nil
                case .awaited(let continuation):
                    state = .settled(value)
                    return continuation
                }
            }
            waiting?.resume(returning: value)
        }

        /// Awaited once.
        var value: Value? {
            get async {
                await withCheckedContinuation { continuation in
                    let settled = state.withLock { state -> Value?? in
                        if case .settled(let value) = state { return .some(value) }
                        state = .awaited(continuation)
                        return nil
                    }
                    if let settled { continuation.resume(returning: settled) }
                }
            }
        }
    }
}
