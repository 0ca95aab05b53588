import Foundation
public import Subprocess

/// A program's output, and how it ended.
public struct ProgramOutcome: Sendable {
    /// The exit code; for a program that a signal ended, the signal's number, negative.
    public let code: Int32
    /// Its standard output, as UTF-8.
    public let output: String
    /// Its standard error, as UTF-8.
    public let errors: String

    /// The output's lines as JSON objects.
    public var lines: [[String: Any]] {
        output.split(separator: "\n").compactMap {
            try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
        }
    }

    /// Runs a program and waits for its end.
    public init(
        of program: Executable, _ arguments: [String], environment: Environment = .inherit
    ) async throws {
        let result = try await Subprocess.run(
            program, arguments: Arguments(arguments), environment: environment,
            output: .string(limit: 16 << 20), error: .string(limit: 1 << 20))
        code =
            switch result.terminationStatus {
            case .exited(let code): code
            case .signaled(let signal): -signal
            }
        output = result.standardOutput
        errors = result.standardError
    }
}
