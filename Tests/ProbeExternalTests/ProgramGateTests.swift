import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeExternal

/// A caller waits for its turn no longer than its deadline, and does not affect others afterwards.
@Suite(.bounded) struct ProgramGateTests {
    private static let far = Deadline.after(.seconds(1800))

    @Test func theDeadlineEndsTheWait() async {
        let gate = ProgramGate()
        #expect(await gate.enter(alone: true, by: Self.far))
        #expect(await !gate.enter(alone: true, by: .after(.milliseconds(50))))
        await gate.leave()
        #expect(await gate.enter(alone: true, by: Self.far))
    }

    @Test func cancellationEndsTheWait() async {
        let gate = ProgramGate()
        #expect(await gate.enter(alone: true, by: Self.far))
        let waiting = Task { await gate.enter(alone: false, by: Self.far) }
        try? await Task.sleep(for: .milliseconds(50))
        waiting.cancel()
        #expect(await !waiting.value)
        // One that was cancelled before it came.
        let late = Task { () -> Bool in
            while !Task.isCancelled { await Task.yield() }
            return await gate.enter(alone: false, by: Self.far)
        }
        late.cancel()
        #expect(await !late.value)
        await gate.leave()
        #expect(await gate.enter(alone: true, by: Self.far))
    }

    /// Those behind one that wanted to be alone need not be, once it has gone.
    @Test func whoGivesUpLetsOthersIn() async {
        let gate = ProgramGate()
        #expect(await gate.enter(alone: false, by: Self.far))
        async let alone = gate.enter(alone: true, by: .after(.milliseconds(300)))
        try? await Task.sleep(for: .milliseconds(100))
        async let beside = gate.enter(alone: false, by: Self.far)
        #expect(await !alone)
        #expect(await beside)
    }
}
