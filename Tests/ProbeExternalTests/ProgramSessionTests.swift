import Foundation
import ProbeTestSupport
import Subprocess
import Synchronization
import Testing

@testable import ProbeExternal

/// A program reads the lines it is given, and is waited for.
@Suite(.bounded) struct ProgramSessionTests {
    private func run(_ script: String, _ lines: [String]) async throws -> (status: TerminationStatus, output: [String])
    {
        let (stream, input) = AsyncStream<[UInt8]>.makeStream()
        for line in lines { input.yield(Array((line + "\n").utf8)) }
        input.finish()
        let output = Mutex<[String]>([])
        let status = try await ProgramSession.run(
            .name("sh"), ["-c", script], lines: stream, errors: .discarded
        ) { execution in
            for try await line in execution.standardOutput.strings() {
                output.withLock { $0.append(line.trimmingCharacters(in: .newlines)) }
            }
        }
        return (status, output.withLock { $0 })
    }

    @Test func linesGoInAndTheEndFollows() async throws {
        let (status, output) = try await run("cat; exit 3", ["one", "two"])
        #expect(output == ["one", "two"])
        #expect(status == .exited(3))
    }

    /// A program that does not read is not waited for.
    @Test func linesMayBeLeftUnread() async throws {
        let (status, _) = try await run("exec <&-; exit 0", [String](repeating: "x", count: 100_000))
        #expect(status == .exited(0))
    }

    @Test func anErrorOfTheCallerEndsIt() async throws {
        let (stream, input) = AsyncStream<[UInt8]>.makeStream()
        defer { input.finish() }
        await #expect(throws: CancellationError.self) {
            _ = try await ProgramSession.run(
                .name("sh"), ["-c", "sleep 1000"], lines: stream, errors: .discarded
            ) { _ in throw CancellationError() }
        }
    }

    /// The program itself can end its own children, and what it has not written yet.
    @Test func aCancelledProgramHasNotice() async throws {
        let (stream, input) = AsyncStream<[UInt8]>.makeStream()
        defer { input.finish() }
        let (ready, isReady) = AsyncStream<Void>.makeStream()
        let notes = FileManager.default.temporaryDirectory.appending(path: "notice-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: notes) }
        let run = Task {
            try await ProgramSession.run(
                .name("sh"),
                ["-c", "trap 'echo ended > \"$0\"; exit 0' TERM; echo ready; while :; do sleep 0.1; done", notes.path],
                notice: .seconds(300), lines: stream, errors: .discarded
            ) { execution in
                for try await _ in execution.standardOutput.strings() { isReady.yield() }
            }
        }
        for await _ in ready { break }
        run.cancel()
        _ = await run.result
        #expect(try String(contentsOf: notes, encoding: .utf8) == "ended\n")
    }
}
