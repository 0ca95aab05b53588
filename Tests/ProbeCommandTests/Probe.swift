import Foundation
import ProbeTestSupport
import Subprocess
import SystemPackage
import Testing

/// The built `probe`, run like by a user.
enum Probe {
    typealias Outcome = ProgramOutcome

    /// The one that was built with the tests, if no other is named.
    static let path =
        ProcessInfo.processInfo.environment["PROBE_UNDER_TEST"]
        ?? URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "probe").path

    /// Runs `probe` and waits for its end.
    static func run(_ arguments: [String], environment: Environment = .inherit) async throws -> Outcome {
        try await Outcome(of: .path(FilePath(path)), arguments, environment: environment)
    }

    /// `probe-bench`, which `make test` builds beside the tests from the package `Benchmarks`; nil if it has not been
    /// built.
    static let bench: String? = {
        let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent().appending(path: "probe-bench")
            .path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    /// Runs `probe-bench` and waits for its end.
    static func runBench(_ arguments: [String]) async throws -> Outcome {
        try await Outcome(of: .path(FilePath(try #require(bench))), arguments)
    }

    /// Runs a line of bash in which `$0` is `probe`.
    static func shell(_ line: String) async throws -> Outcome {
        try await Outcome(of: .name("bash"), ["-c", line, path])
    }

    /// Runs `probe`, passes on each line of its output as it comes, and sends it the signal that the closure returns,
    /// if any.
    ///
    /// - Returns: its exit code; a run that hangs is killed.
    static func follow(
        _ arguments: [String], onLine: (Int, [String: Any]) async throws -> Signal?
    ) async throws -> Int32 {
        let result = try await Subprocess.run(
            .name("timeout"), arguments: Arguments(["-s", "KILL", "1500", path] + arguments), input: .none,
            output: .sequence, error: .discarded
        ) { execution in
            var text = Data()
            var count = 0
            for try await buffer in execution.standardOutput {
                text += unsafe buffer.withUnsafeBytes { unsafe Data($0) }
                while let end = text.firstIndex(of: UInt8(ascii: "\n")) {
                    let object = try JSONSerialization.jsonObject(with: text[text.startIndex..<end])
                    text = Data(text[(end + 1)...])
                    if let signal = try await onLine(count, object as? [String: Any] ?? [:]) {
                        try execution.send(signal: signal)
                    }
                    count += 1
                }
            }
        }
        return switch result.terminationStatus {
        case .exited(let code): code
        case .signaled(let signal): -signal
        }
    }
}
