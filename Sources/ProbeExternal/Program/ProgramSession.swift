import ProbePlatform
package import Subprocess
import SystemPackage

/// Programs as children, each in a session of its own, so that what it starts can be ended with it.
package enum ProgramSession {
    /// The options of a program that is killed, with all of its process group, when the task that runs it is cancelled.
    ///
    /// - Parameter notice: the time between SIGTERM for the program alone and SIGKILL for all; nil kills at once.
    package static func options(notice: Duration? = nil) -> PlatformOptions {
        var options = PlatformOptions()
        options.createSession = true
        if let notice { options.teardownSequence.append(.send(signal: .terminate, allowedDurationToNextStep: notice)) }
        options.teardownSequence.append(
            .send(signal: .kill, toProcessGroup: true, allowedDurationToNextStep: .seconds(1)))
        return options
    }

    /// Runs a program that reads lines until there are no more, and waits for its end and for that of `body`.
    ///
    /// The program does not outlive this process (``ProgramGroups``), and nothing of its process group outlives the program.
    ///
    /// - Parameters:
    ///   - notice: as for ``options(notice:)``.
    ///   - lines: what is written to its standard input, whose end follows the last one. The caller finishes them when `body`
    ///     returns at the latest, since this waits for that.
    ///   - errors: the use of its standard error.
    ///   - body: reads its standard output.
    /// - Throws: the error that the program can't be started for, or that of `body`, after which it is killed.
    package static func run<Errors: ErrorOutputProtocol>(
        _ program: Executable, _ arguments: Arguments = [], notice: Duration? = nil, lines: AsyncStream<[UInt8]>,
        errors: Errors, body: (Execution<CustomWriteInput, SequenceOutput, Errors>) async throws -> Void
    ) async throws -> TerminationStatus {
        // A program that ended must not end us at the next write.
        _ = signal(SIGPIPE, SIG_IGN)
        var group: pid_t?
        defer { if let group { end(group) } }
        let result = try await Subprocess.run(
            program, arguments: arguments, platformOptions: options(notice: notice), input: .inputWriter,
            output: .sequence, error: errors
        ) { execution in
            group = execution.processIdentifier.value
            ProgramGroups.add(execution.processIdentifier.value)
            async let fed: Void = feed(lines, to: execution.standardInputWriter)
            try await body(execution)
            await fed
        }
        return result.terminationStatus
    }

    /// Kills the processes that a program started and left behind.
    ///
    /// Subprocess has reaped the program before it returns, and calls nobody in between. While a process of the group lives,
    /// the number stays the group's (POSIX.1, Process ID Reuse). If all have ended, it is free from the reap on, and the signal
    /// could reach a new group of that number. That is accepted: Linux (`alloc_pid`) and macOS (`forkproc`) hand numbers out
    /// in turn, so that all others would have to be used up between the reap and this call.
    private static func end(_ group: pid_t) {
        kill(-group, SIGKILL)
        ProgramGroups.remove(group)
    }

    private static func feed(_ lines: AsyncStream<[UInt8]>, to input: StandardInputWriter) async {
        for await line in lines {
            guard (try? await input.write(line)) != nil else { break }
        }
        try? await input.finish()
    }
}

extension TerminationStatus {
    /// The end of a program, in the words after `ended`.
    ///
    /// - Parameter isOurs: true if we killed it, as it had ended its output and went on.
    func words(isOurs: Bool) -> String {
        switch self {
        case .exited(let code): "with code \(code)"
        case .signaled(SIGKILL) where isOurs: "its output and did not exit"
        case .signaled(let signal): "by signal \(signal)"
        }
    }
}

extension Executable {
    /// This program itself.
    package static var own: Executable { .path(FilePath(Platform.executable)) }
}
