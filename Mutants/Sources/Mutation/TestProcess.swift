import Foundation
import Subprocess
import Synchronization
import SystemPackage

/// A process that is ended early: by what it prints, or once it only sleeps.
struct TestProcess: Sendable {
    /// The way in which it ended.
    enum End: Equatable {
        /// By itself, with a status or a signal's number.
        case exited(Int32)
        /// By us, after a line that says enough.
        case failed
        /// By us: it waited for what does not come.
        case asleep
    }

    private let arguments: [String]
    private let folder: String
    private let environment: [String: String]

    /// A command of the shell, run in a folder, with more variables than our own.
    init(_ arguments: [String], in folder: String, environment: [String: String]) {
        self.arguments = arguments
        self.folder = folder
        self.environment = environment
    }

    /// Runs it until it ends, until what it has printed says enough, or until it only sleeps; returns what it printed.
    func run(until says: @Sendable @escaping (String) -> Bool) async throws -> (end: End, output: String) {
        let ending = Ending()
        let variables = environment.map { (Environment.Key(stringLiteral: $0.key), Optional($0.value)) }
        let result = try await Subprocess.run(
            .path("/bin/sh"), arguments: Arguments(arguments),
            environment: .inherit.updating(Dictionary(uniqueKeysWithValues: variables)),
            workingDirectory: FilePath(folder), input: .none, output: .sequence, error: .combinedWithOutput
        ) { execution in
            let process = execution.processIdentifier.value
            let watch = Task {
                if try await Sleeper(process).sleeps() { ending.end(process, .asleep) }
            }
            defer { watch.cancel() }
            var output = ""
            for try await line in execution.standardOutput.strings(bufferingPolicy: .unbounded) {
                output += line + "\n"
                if says(line) { ending.end(process, .failed) }
            }
            return output
        }
        let status: Int32 =
            switch result.terminationStatus {
            case .exited(let code), .signaled(let code): code
            }
        return (ending.first ?? .exited(status), result.closureResult)
    }
}

/// The reason for which we ended a process: the first counts.
private final class Ending: Sendable {
    private let reason = Mutex<TestProcess.End?>(nil)

    var first: TestProcess.End? { reason.withLock { $0 } }

    func end(_ process: Int32, _ end: TestProcess.End) {
        reason.withLock { $0 = $0 ?? end }
        kill(process, SIGKILL)
    }
}

/// The watch over a process that may wait indefinitely.
private struct Sleeper {
    private let process: Int32

    /// For so many looks in a row it must not have used a processor. One that is ready to run and gets no turn is not
    /// asleep.
    private static let looks = 40
    private static let pause = Duration.milliseconds(250)

    init(_ process: Int32) { self.process = process }

    /// Returns true once it only sleeps; false once it is gone.
    func sleeps() async throws -> Bool {
        var (asleep, used) = (0, 0)
        while asleep < Self.looks {
            try await Task.sleep(for: Self.pause)
            guard let now = work() else { return false }
            asleep = now.isRunning || now.used != used ? 0 : asleep + 1
            used = now.used
        }
        return true
    }

    /// The processor time that all its threads used, and whether one of them could go on.
    private func work() -> (used: Int, isRunning: Bool)? {
        let root = "/proc/\(process)/task"
        guard let threads = try? FileManager.default.contentsOfDirectory(atPath: root) else { return nil }
        var (used, isRunning) = (0, false)
        for thread in threads {
            guard let stat = try? String(contentsOfFile: "\(root)/\(thread)/stat", encoding: .utf8),
                let fields = stat.split(separator: ")").last?.split(separator: " "), fields.count > 12
            else { continue }
            used += (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
            isRunning = isRunning || fields[0] != "S"
        }
        return (used, isRunning)
    }
}
