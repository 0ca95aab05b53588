import Foundation
import Subprocess
import SystemPackage

/// The built `probe`, run as a person runs it.
enum Probe {
    struct Outcome {
        let code: Int32
        let output: String
        let errors: String

        /// The output's lines as JSON objects.
        var lines: [[String: Any]] {
            output.split(separator: "\n").compactMap {
                try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any]
            }
        }
    }

    private static let path = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appending(path: "probe").path

    /// Runs `probe` and waits for its end.
    static func run(_ arguments: [String], environment: Environment = .inherit) async throws -> Outcome {
        try await run(.path(FilePath(path)), arguments, environment)
    }

    /// Runs a line of bash in which `$0` is `probe`.
    static func shell(_ line: String) async throws -> Outcome {
        try await run(.name("bash"), ["-c", line, path], .inherit)
    }

    private static func run(
        _ program: Executable, _ arguments: [String], _ environment: Environment
    ) async throws -> Outcome {
        let result = try await Subprocess.run(
            program, arguments: Arguments(arguments), environment: environment,
            output: .string(limit: 16 << 20), error: .string(limit: 1 << 20))
        let code: Int32 =
            switch result.terminationStatus {
            case .exited(let code): code
            case .signaled(let signal): -signal
            }
        return Outcome(code: code, output: result.standardOutput, errors: result.standardError)
    }
}
