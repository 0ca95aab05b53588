import Foundation

/// The run of the tests once for each mutant: those suites alone that reach its code.
public struct MutantRun {
    private let program: TestProgram
    private let suites: [String]
    private var reaching: [Int: [String]] = [:]
    private var durations: [String: Duration] = [:]
    /// Suites that fail without any mutant; they can notice nothing.
    public private(set) var broken: [String] = []

    /// A run of suites, which are run once each to see what they reach.
    ///
    /// - Parameter count: how many mutants there are.
    public init(_ program: TestProgram, suites: [String], count: Int) throws {
        self.program = program
        self.suites = suites
        let file = FileManager.default.temporaryDirectory.appending(path: "mutants-reached-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        for suite in suites {
            try Data(count: count + 1).write(to: file)
            let run = try program.run([suite], environment: [Switch.reached: file.path], limit: .seconds(300))
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

    /// Runs the suites that reach a mutant with it switched on.
    public func outcome(of mutant: Mutant) throws -> MutantOutcome {
        guard let reaching = reaching[mutant.id] else { return .unreached }
        let usual = reaching.compactMap { durations[$0] }.reduce(.zero, +)
        let run = try program.run(
            reaching, environment: [Switch.active: String(mutant.id)], limit: usual * 10 + .seconds(20))
        return run.passed ? .survived(suites: reaching.count) : .killed(by: run.failure ?? "")
    }
}
