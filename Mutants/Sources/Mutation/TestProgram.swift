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
    public func suites(
        matching pattern: Regex<AnyRegexOutput>, skipping skipped: Regex<AnyRegexOutput>?
    ) async throws -> [String] {
        let output = try await start(["--list-tests"], [:], limit: .seconds(60)).output
        let suites = Set(output.split(separator: "\n").compactMap { $0.split(separator: "/").first.map(String.init) })
        return suites.filter { suite in
            suite.contains(pattern) && !(skipped.map { suite.contains($0) } ?? false)
        }.sorted()
    }

    /// Runs suites until the first test that fails.
    ///
    /// - Parameter limit: how long they may keep a processor busy.
    public func run(_ suites: [String], environment: [String: String], limit: Duration) async throws -> Run {
        let names = suites.map { $0.replacing(".", with: "\\.") }.joined(separator: "|")
        let ended = try await start(["--filter", "^(\(names))/"], environment, limit: limit)
        let failure: String? =
            switch ended.end {
            case .failed: Self.firstFailure(in: ended.output) ?? ""
            case .asleep, .exited(SIGXCPU), .exited(SIGKILL): "does not end"
            case .exited(0): nil
            case .exited(let status): Self.firstFailure(in: ended.output) ?? "ends with \(status)"
            }
        return Run(passed: failure == nil, failure: failure, duration: ended.duration)
    }

    /// The first test that is reported as failed in what Swift Testing prints.
    static func firstFailure(in output: String) -> String? {
        output.firstMatch(of: #/✘.*?Test (?:"(?<title>[^"\n]+)"|(?<name>\w+\([^)\n]*\)))/#).map {
            String($0.title ?? $0.name ?? "")
        }
    }

    private func start(
        _ arguments: [String], _ environment: [String: String], limit: Duration
    ) async throws -> (end: TestProcess.End, output: String, duration: Duration) {
        // The limits are the system's: a loop ends after as much work on a busy machine as on an idle one.
        let command =
            [
                "-c", "ulimit -c 0; ulimit -t \(limit.components.seconds); ulimit -v 8000000; exec \"$@\"", "sh",
                path.path,
            ]
            + ["--testing-library", "swift-testing"] + arguments
        let process = TestProcess(
            command, in: folder.path, environment: ["SWIFT_BACKTRACE": "enable=no"].merging(environment) { $1 })
        let clock = ContinuousClock()
        let started = clock.now
        let (end, output) = try await process.run { Self.firstFailure(in: $0) != nil }
        return (end, output, clock.now - started)
    }
}
