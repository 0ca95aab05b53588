import Synchronization
public import Testing

/// Lets only a few test cases run at once: those that wait for servers have deadlines, and a machine that runs hundreds of
/// them together makes them late for no fault of the code.
public struct BoundedTrait: SuiteTrait, TestTrait, TestScoping {
    private static let gate = Gate(width: 4)

    /// Every test of a suite, and every case of a test, passes the gate on its own.
    public var isRecursive: Bool { true }

    /// Runs a test case when there is a place for it.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil else { return try await function() }
        await Self.gate.enter()
        defer { Self.gate.leave() }
        try await function()
    }
}

extension Trait where Self == BoundedTrait {
    /// Bounds how many test cases of all bounded suites run at once.
    public static var bounded: BoundedTrait { BoundedTrait() }
}

/// A counting semaphore for tasks; first come, first served.
private final class Gate: Sendable {
    private struct State {
        var free: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Mutex<State>

    init(width: Int) {
        state = Mutex(State(free: width))
    }

    func enter() async {
        await withCheckedContinuation { continuation in
            let entered = state.withLock { state in
                guard state.free == 0 else {
                    state.free -= 1
                    return true
                }
                state.waiting.append(continuation)
                return false
            }
            if entered { continuation.resume() }
        }
    }

    func leave() {
        let next = state.withLock { state -> CheckedContinuation<Void, Never>? in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst() }
            state.free += 1
            return nil
        }
        next?.resume()
    }
}
