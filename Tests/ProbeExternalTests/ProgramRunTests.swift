import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeExternal

@Suite(.bounded) struct ProgramRunTests {
    /// An answered request leaves no wait for its deadline, and keeps no exited program.
    @Test func anAnsweredRequestHoldsNothing() async throws {
        let program = try FakeProgram()
        weak var left: ProgramRun?
        do {
            let run = ProgramRun(path: program.path)
            left = run
            let hello = ProgramQuestion("hello", WireHello(kind: .transport), deadline: .after(.seconds(600)))
            guard case .reply = await run.ask(hello) else {
                Issue.record("it does not say hello")
                return
            }
            await run.stop()
        }
        // `close()` itself holds it a little longer.
        let limit = ContinuousClock.now + ProgramLimits.ending * 5
        while left != nil, .now < limit { try await Task.sleep(for: .milliseconds(20)) }
        #expect(left == nil)
    }
}
