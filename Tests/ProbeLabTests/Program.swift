import Foundation

/// A program from the system, run to its end.
struct Program: Sendable {
    let path: String

    /// The program with this name in `PATH`; nil if it is not installed.
    init?(_ name: String) {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        guard let path = folders.map({ "\($0)/\(name)" }).first(where: FileManager.default.isExecutableFile(atPath:))
        else { return nil }
        self.path = path
    }

    /// Runs the program with `input` on its standard input; it is given no more than `seconds`. The waiting is done on a
    /// thread outside the cooperative pool.
    func run(
        _ arguments: [String], input: String = "", seconds: TimeInterval = 20
    ) async throws -> (status: Int32, output: String) {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global().async {
                continuation.resume(with: Result { try finish(arguments, input, seconds) })
            }
        }
    }

    private func finish(
        _ arguments: [String], _ input: String, _ seconds: TimeInterval
    ) throws -> (status: Int32, output: String) {
        let process = Process()
        let out = Pipe()
        let into = Pipe()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        process.standardOutput = out
        process.standardError = out
        process.standardInput = into
        try process.run()
        DispatchQueue.global().asyncAfter(deadline: .now() + seconds) {
            if process.isRunning { process.terminate() }
        }
        try into.fileHandleForWriting.write(contentsOf: Data(input.utf8))
        try into.fileHandleForWriting.close()
        let text = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, text)
    }
}
