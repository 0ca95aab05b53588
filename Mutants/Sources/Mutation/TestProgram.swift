import Foundation

/// A built test bundle, which is run without the package manager.
public struct TestProgram: Sendable {
    /// The end of a run.
    public struct Run: Sendable {
        /// Whether every test passed.
        public let passed: Bool
        /// The first test that failed, or how the process ended.
        public let failure: String?
        /// The time from start to end.
        public let duration: Duration
    }

    private let path: URL
    private let folder: URL

    /// A program, which is run in a folder.
    public init(_ path: URL, in folder: URL) {
        self.path = path
        self.folder = folder
    }

    /// Returns the suites of the program whose name a pattern matches.
    public func suites(matching pattern: Regex<AnyRegexOutput>, skipping skipped: Regex<AnyRegexOutput>?) throws
        -> [String]
    {
        let output = try start(["--list-tests"], [:], limit: .seconds(60)).output
        let suites = Set(output.split(separator: "\n").compactMap { $0.split(separator: "/").first.map(String.init) })
        return suites.filter { suite in
            suite.contains(pattern) && !(skipped.map { suite.contains($0) } ?? false)
        }.sorted()
    }

    /// Runs suites.
    ///
    /// - Parameter limit: how long they may keep a processor busy. A mutant that waits is given a minute more.
    public func run(_ suites: [String], environment: [String: String], limit: Duration) throws -> Run {
        let names = suites.map { $0.replacing(".", with: "\\.") }.joined(separator: "|")
        let ended = try start(["--filter", "^(\(names))/"], environment, limit: limit)
        let failure: String? =
            switch ended.status {
            case nil: "does not end in \(limit)"
            case 0?: nil
            case SIGXCPU?, SIGKILL?: "does not end"
            case let status?: Self.firstFailure(in: ended.output) ?? "ends with \(status)"
            }
        return Run(passed: ended.status == 0, failure: failure, duration: ended.duration)
    }

    /// The first test that is reported as failed in what Swift Testing prints.
    static func firstFailure(in output: String) -> String? {
        output.firstMatch(of: #/✘.*?Test (?:"(?<title>[^"\n]+)"|(?<name>\w+\([^)\n]*\)))/#).map {
            String($0.title ?? $0.name ?? "")
        }
    }

    private func start(
        _ arguments: [String], _ environment: [String: String], limit: Duration
    ) throws -> (status: Int32?, output: String, duration: Duration) {
        let file = FileManager.default.temporaryDirectory.appending(path: "mutants-\(UUID().uuidString)")
        try Data().write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let output = try FileHandle(forWritingTo: file)
        let process = Process()
        // The limits are the system's: a loop ends after as much work on a busy machine as on an idle one.
        let seconds = limit.components.seconds
        process.executableURL = URL(filePath: "/bin/sh")
        process.currentDirectoryURL = folder
        process.arguments =
            ["-c", "ulimit -c 0; ulimit -t \(seconds); ulimit -v 8000000; exec \"$@\"", "sh", path.path]
            + ["--testing-library", "swift-testing"] + arguments
        process.environment = ProcessInfo.processInfo.environment.merging(["SWIFT_BACKTRACE": "enable=no"]) { $1 }
            .merging(environment) { $1 }
        process.standardOutput = output
        process.standardError = output
        let ended = DispatchSemaphore(value: 0)
        process.terminationHandler = { _ in ended.signal() }
        let clock = ContinuousClock()
        let started = clock.now
        try process.run()
        let inTime = ended.wait(timeout: .now() + .seconds(Int(seconds) + 60)) == .success
        if !inTime {
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
        }
        let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
        return (inTime ? process.terminationStatus : nil, text, clock.now - started)
    }
}
