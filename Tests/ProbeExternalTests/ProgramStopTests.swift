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

    /// A start ends with the program, however long its hello takes; a question after that starts it again.
    @Test func aStartInProgressIsStopped() async throws {
        let program = try FakeProgram(
            """
            if not os.path.exists(died):
                open(died, 'w').close()
                os._exit(1)
            """,
            hello: "greet(request)",
            before: """
                died = __file__ + '.died'
                number = __file__ + '.number'

                def greet(request):
                    if os.path.exists(died) and not os.path.exists(number):
                        with open(number + '.new', 'w') as file: file.write(str(os.getpid()))
                        os.rename(number + '.new', number)
                        sys.stdin.read()
                    send({'id': request['id'], **HELLO})
                """)
        let transport = try await program.transport()
        #expect(try await transport.ask()?.nativeCode == "program-ended")
        let asking = Task { try await transport.ask() }
        try await wait(for: program.path + ".number")
        let process = try #require(pid_t(try String(contentsOfFile: program.path + ".number", encoding: .utf8)))
        await transport.stop()
        let isLeft = kill(process, 0) == 0
        #expect(!isLeft, "process \(process) is left")
        if isLeft { kill(process, SIGKILL) }
        let failure = try await asking.value
        #expect(failure?.nativeCode == "program-ended")
        #expect(failure?.message.contains("was stopped") == true, "\(failure?.message ?? "")")
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
}
