import ProbeExternal
import ProbeKit
import ProbeNet
import ProbePlatform
import ProbeReport
import ProbeRun
import Subprocess
import SystemPackage

/// A command that is run on each change, passed to the shell unchanged.
///
/// Data from a peer never becomes part of the command: it is passed in the environment and, as JSON, on standard input.
struct Hook: Sendable {
    let command: String
    /// The time limit; then the command is killed, with all processes of its group.
    let limit: Duration

    /// Runs the command and waits for its end. A process that ends before, at a second signal, kills it with its group: nothing
    /// would limit its time any more.
    ///
    /// - Returns: a description of the failure; nil if there is none.
    func run(_ event: HookEvent) async -> String? {
        // The environment says the most of it, and a full disk is a time to hear of things.
        let lines = Self.file(of: event.lines)
        guard let input = lines ?? (try? FileDescriptor.open(FilePath("/dev/null"), .readOnly)) else {
            return "neither a temporary file nor /dev/null can be opened for its input"
        }
        let (command, environment) = (command, event.environment)
        let work = Task {
            var group: pid_t?
            defer { if let group { ProgramGroups.remove(group) } }
            // Our standard output is for changes alone.
            let result = try await Subprocess.run(
                .path("/bin/sh"), arguments: ["-c", command],
                environment: .inherit.updating(Self.users).updating(environment),
                platformOptions: ProgramSession.options(),
                input: .fileDescriptor(input, closeAfterSpawningProcess: true),
                output: .fileDescriptor(.standardError, closeAfterSpawningProcess: false),
                error: .fileDescriptor(.standardError, closeAfterSpawningProcess: false)
            ) { execution in
                group = execution.processIdentifier.value
                ProgramGroups.add(execution.processIdentifier.value)
            }
            return result.terminationStatus
        }
        let timer = Task { [limit] in
            try await Task.sleep(for: limit)
            work.cancel()
            return true
        }
        let result = await work.result
        timer.cancel()
        if (try? await timer.value) ?? false { return "it was killed after \(limit)" }
        switch result {
        case .success(let status):
            switch status {
            case .exited(0):
                return lines == nil ? "its input was empty, since no temporary file could be written" : nil
            case .exited(let code): return "it ended with code \(code)"
            case .signaled(let signal): return "signal \(signal) ended it"
            }
        case .failure(let error): return "it can't be run: \(error)"
        }
    }

    /// The environment as the user has it: the command is theirs, and none of our backends.
    private static let users = [Environment.Key: String?](
        uniqueKeysWithValues: SystemSettings.restoring.compactMap { name, value in
            Environment.Key(rawValue: name).map { ($0, value) }
        })

    /// Returns an unnamed file to read from: unlike a pipe it takes any length without a reader.
    private static func file(of lines: String) -> FileDescriptor? {
        let path = FilePath(TemporaryFolder.file("probe-\(UUID())"))
        do {
            let file = try FileDescriptor.open(
                path, .readWrite, options: [.create, .exclusiveCreate, .closeOnExec], permissions: .ownerReadWrite)
            do {
                try FileManager.default.removeItem(atPath: path.string)
                _ = try file.writeAll(lines.utf8)
                _ = try file.seek(offset: 0, from: .start)
                return file
            } catch {
                try? file.close()
                return nil
            }
        } catch {
            return nil
        }
    }
}
