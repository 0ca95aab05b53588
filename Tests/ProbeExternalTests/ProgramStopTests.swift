import Foundation
import ProbeExternal
import ProbeKit
import ProbePlatform
import ProbeTestSupport
import Testing

/// A program that was stopped does not live on for requests from before.
@Suite(.bounded) struct ProgramStopTests {
    private func wait(for path: String) async throws {
        while !FileManager.default.fileExists(atPath: path) { try await Task.sleep(for: .milliseconds(20)) }
    }

    /// Waits for the process id that a program writes, and returns it.
    private func process(in path: String) async throws -> pid_t {
        try await wait(for: path)
        return try #require(pid_t(try String(contentsOfFile: path, encoding: .utf8)))
    }

    private func expectEnded(_ process: pid_t, sourceLocation: SourceLocation = #_sourceLocation) {
        let isLeft = kill(process, 0) == 0
        #expect(!isLeft, "process \(process) is left", sourceLocation: sourceLocation)
        if isLeft { kill(process, SIGKILL) }
    }

    private func expectStopped(
        _ failure: HandshakeFailure?, sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(failure?.nativeCode == "program-ended", sourceLocation: sourceLocation)
        #expect(
            failure?.message.contains("was stopped") == true, "\(failure?.message ?? "")",
            sourceLocation: sourceLocation)
    }

    /// A program that ends at some request, writes its number instead of its second hello, and answers in its third life.
    private func slowStart(endingAt request: Int) throws -> FakeProgram {
        try FakeProgram(
            """
            if not os.path.exists(died):
                if count < \(request): continue
                open(died, 'w').close()
                os._exit(1)
            """,
            hello: "greet(request)",
            before: """
                died = __file__ + '.died'
                number = __file__ + '.number'

                def write(name):
                    with open(name + '.new', 'w') as file: file.write(str(os.getpid()))
                    os.rename(name + '.new', name)

                def greet(request):
                    if os.path.exists(died) and not os.path.exists(number):
                        write(number)
                        sys.stdin.read()
                    send({'id': request['id'], **HELLO})
                """)
    }

    /// A start ends with the program, however long its hello takes; a question after that starts it again.
    @Test func aStartInProgressIsStopped() async throws {
        let program = try slowStart(endingAt: 1)
        let transport = try await program.transport()
        #expect(try await transport.ask()?.nativeCode == "program-ended")
        let asking = Task { try await transport.ask() }
        let process = try await process(in: program.path + ".number")
        await transport.stop()
        expectEnded(process)
        expectStopped(try await asking.value)
        #expect(try await transport.ask()?.code == .connectionRefused)
        await transport.stop()
    }

    /// Of requests that are lost together, one starts the program again, and the other waits for its turn: it would start the
    /// program once more after it was stopped.
    @Test func whatWaitsToBeRepeatedIsStopped() async throws {
        let program = try slowStart(endingAt: 2)
        let transport = try await program.transport()
        let asking = (0..<2).map { _ in Task { try await transport.ask() } }
        let process = try await process(in: program.path + ".number")
        await transport.stop()
        for request in asking { expectStopped(try await request.value) }
        expectEnded(process)
        #expect(try await transport.ask()?.code == .connectionRefused)
        await transport.stop()
    }

    /// Requests that are under way end with the program, be it one or several: to repeat them would start it again.
    @Test(arguments: [1, 2])
    func whatIsUnderWayIsNotRepeated(_ requests: Int) async throws {
        let program = try FakeProgram(
            """
            asked = __file__ + '.asked'
            if not os.path.exists(asked):
                if count == \(requests): open(asked, 'w').close()
                continue
            """)
        let transport = try await program.transport()
        let asking = (0..<requests).map { _ in Task { try await transport.ask() } }
        try await wait(for: program.path + ".asked")
        await transport.stop()
        for request in asking { #expect(try await request.value?.nativeCode == "program-ended") }
        await transport.stop()
    }

    /// A program that goes on after the end of its input is killed after a while; until then none of the stops returns.
    @Test func eachStopWaitsForTheEnd() async throws {
        let program = try FakeProgram(before: "import atexit; atexit.register(time.sleep, 600)")
        let transport = try await program.transport()
        let process = try #require(pid_t(try await transport.ask()?.message ?? ""))
        await withTaskGroup { group in
            for _ in 0..<2 {
                group.addTask {
                    await transport.stop()
                    expectEnded(process)
                }
            }
        }
    }
}
