import Foundation

/// The run of the tests once for each mutant: those suites alone that reach its code.
public struct MutantRun: Sendable {
    private let program: TestProgram
    private var reaching: [Int: [String]] = [:]
    private var durations: [String: Duration] = [:]
    /// Suites that fail without any mutant; they can notice nothing.
    public private(set) var broken: [String] = []

    /// A run of suites, which are run once each to see what they reach.
    ///
    /// - Parameter count: how many mutants there are.
    public init(_ program: TestProgram, suites: [String], count: Int) async throws {
        self.program = program
        let file = FileManager.default.temporaryDirectory.appending(path: "mutants-reached-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        for suite in suites {
            try Data(count: count + 1).write(to: file)
            let run = try await program.run([suite], environment: [Switch.reached: file.path], limit: .seconds(300))
            guard run.passed else {
                broken.append(suite)
                continue
            }
            durations[suite] = run.duration
            for (id, byte) in try Data(contentsOf: file).enumerated() where byte != 0 {
                reaching[id, default: []].append(suite)
            }
        }
    }

    /// Runs the suites that reach a mutant with it switched on: first the quick half, which is mostly enough.
    public func outcome(of mutant: Mutant) async throws -> MutantOutcome {
        guard let reaching = reaching[mutant.id] else { return .unreached }
        let suites = reaching.sorted { duration($0) < duration($1) }
        let half = (suites.count + 1) / 2
        for part in [suites[..<half], suites[half...]] where !part.isEmpty {
            let usual = part.map(duration).reduce(.zero, +)
            let run = try await program.run(
                Array(part), environment: [Switch.active: String(mutant.id)], limit: usual * 5 + .seconds(5))
            if !run.passed { return .killed(by: run.failure ?? "") }
        }
        return .survived(suites: suites.count)
    }

    private func duration(_ suite: String) -> Duration { durations[suite] ?? .zero }
}
