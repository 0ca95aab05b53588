import Synchronization
public import Testing

/// Lets only a few test cases run at once, and each of them for half an hour.
///
/// Those that wait for servers have deadlines, and a machine that runs hundreds of them together makes them late for no
/// fault of the code. For the same reason the half hour is the case's own: it begins when the case does, while a
/// `timeLimit` also counts the time for which it waited for all the others.
public struct BoundedTrait: SuiteTrait, TestTrait, TestScoping {
    private static let gate = Gate(width: 4)
    /// True for what runs inside, which has its place already.
    @TaskLocal private static var hasPlace = false

    private let limit: Duration

    /// - Parameter limit: how long a test case may take once it runs.
    public init(limit: Duration = .seconds(1800)) {
        self.limit = limit
    }

    /// Every test of a suite, and every case of a test, passes the gate on its own.
    public var isRecursive: Bool { true }

    /// Runs a test case when there is a place for it.
    public func provideScope(
        for test: Test, testCase: Test.Case?, performing function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        guard testCase != nil, !Self.hasPlace else { return try await function() }
        await Self.gate.enter()
        defer { Self.gate.leave() }
        try await Self.$hasPlace.withValue(true) {
            try await run(test.sourceLocation, function)
        }
    }

    /// Runs a function, and cancels it at the limit, which is an issue.
    package func run(
        _ location: SourceLocation = #_sourceLocation, _ function: @concurrent @Sendable () async throws -> Void
    ) async throws {
        try await withoutActuallyEscaping(function) { function in
            try await withThrowingTaskGroup { group in
                group.addTask { try await function() }
                group.addTask { [limit] in
                    try await Task.sleep(for: limit)
                    Issue.record("it took longer than \(limit)", sourceLocation: location)
                }
                try await group.next()
                group.cancelAll()
                // A cancellation is expected now; any other error counts.
                while let result = await group.nextResult() {
                    if case .failure(let error) = result, !(error is CancellationError) { throw error }
                }
            }
        }
    }
}

extension Trait where Self == BoundedTrait {
    /// Bounds how many test cases of all bounded suites run at once, and how long each may take.
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
