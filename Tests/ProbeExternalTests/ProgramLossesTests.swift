import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeExternal

/// The faults of a program are counted, whether or not a request shows them.
@Suite(.bounded) struct ProgramLossesTests {
    /// Both requests are asked again, and answered.
    @Test func aFaultThatCostsNoProbeIsCounted() async throws {
        let program = try FakeProgram(
            """
            if not os.path.exists(died):
                if count < 2: continue
                open(died, 'w').close()
                os._exit(3)
            """, before: "died = __file__ + '.died'")
        let transport = try await program.transport()
        #expect(transport.losses == nil)
        async let first = transport.ask()
        async let second = transport.ask()
        for failure in [try await first, try await second] { #expect(failure?.code == .connectionRefused) }
        await transport.stop()
        #expect(
            transport.losses
                == "its program was lost 1 time: program-ended: probe-transport-fake ended with code 3")
    }

    /// The second answer to the first request arrives before the one to the next.
    @Test func anAnswerThatComesTwiceIsCounted() async throws {
        let program = try FakeProgram(
            """
            if not os.path.exists(died):
                open(died, 'w').close()
                answer(request)
            """, before: "died = __file__ + '.died'")
        let transport = try await program.transport()
        for _ in 0..<2 { #expect(try await transport.ask()?.code == .connectionRefused) }
        await transport.stop()
        #expect(transport.losses?.hasPrefix("its program was lost 1 time: program-unasked-reply: ") == true)
    }

    @Test func anEndThatWasAskedForIsNotAFault() async throws {
        let program = try FakeProgram("if request['port'] == 7: os._exit(1)")
        let transport = try await program.transport()
        _ = try await transport.ask()
        await transport.stop()
        // A request starts it anew.
        _ = try await transport.ask()
        await transport.stop()
        #expect(transport.losses == nil)
    }

    @Test func theFirstCausesAreQuotedOnce() {
        let losses = ProgramLosses()
        for code in [3, 3, 4, 5, 6] { losses.add(ProgramFault(.ended, "it ended with code \(code)")) }
        let causes = [3, 4, 5].map { "program-ended: it ended with code \($0)" }.joined(separator: "; ")
        #expect(losses.sentence == "its program was lost 5 times: \(causes); and others")
    }
}
