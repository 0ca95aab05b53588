import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTrust

/// `probe bench chains`: the time for which hostile chains keep the reference verifier busy, in processor time. Each
/// family of ``HostileChain`` has a line for its worst chain, and all of them have one for the worst of all.
public struct ChainBench: Sendable {
    private let seeds: Int

    /// The maximum time for a chain (decided: work-budget).
    private static let targetMilliseconds = 100.0
    /// A chain near the target is measured again: disturbances only ever make a measurement longer.
    private static let repeats = 3

    /// - Parameter rounds: the number of chains of each family.
    public init(rounds: Int) {
        seeds = max(1, rounds)
    }

    /// The figures of one chain.
    private struct Figures {
        var verdict = 0.0
        var report = 0.0
    }

    /// Runs all measurements, and reports each line as soon as it is known.
    ///
    /// - Throws: an error of the lab.
    public func run(_ report: (BenchLine) -> Void) async throws {
        _ = try await Self.measure(HostileChain.make(.mesh, seed: 0))
        var worst = Figures()
        for family in HostileChain.Family.allCases {
            var figures = Figures()
            for seed in 0..<UInt64(seeds) {
                let measured = try await Self.measure(HostileChain.make(family, seed: seed))
                figures.verdict = max(figures.verdict, measured.verdict)
                figures.report = max(figures.report, measured.report)
            }
            report(Self.line("chains", family.rawValue, figures.verdict))
            worst.verdict = max(worst.verdict, figures.verdict)
            worst.report = max(worst.report, figures.report)
        }
        let count = seeds * HostileChain.Family.allCases.count
        report(Self.line("chains", "worst-of-\(count)", worst.verdict))
        report(Self.line("chain-details", "worst-of-\(count)", worst.report))
    }

    private static func line(_ bench: String, _ subject: String, _ milliseconds: Double) -> BenchLine {
        BenchLine(
            bench, subject: subject, library: "reference", value: milliseconds, unit: "ms",
            target: .valueAtMost(targetMilliseconds))
    }

    /// Returns the verdict on a chain, and its certificates' details for the report, both by verifiers that have seen
    /// nothing yet.
    private static func measure(_ chain: HostileChain) async throws -> Figures {
        let question = try chain.question()
        var handshake = HandshakeReport()
        handshake.chain = chain.chain
        var least = Figures(verdict: .infinity, report: .infinity)
        for _ in 0..<repeats {
            let verifier = ReferenceVerifier()
            var start = ThreadTime.nanoseconds
            _ = await verifier.evaluate(question)
            least.verdict = min(least.verdict, Double(ThreadTime.nanoseconds - start) / 1_000_000)
            start = ThreadTime.nanoseconds
            _ = CertificateMemory().presented(handshake, through: identity)
            least.report = min(least.report, Double(ThreadTime.nanoseconds - start) / 1_000_000)
            if max(least.verdict, least.report) < targetMilliseconds / 3 { break }
        }
        return least
    }

    private static let identity = BackendIdentity(name: "reference", library: "ProbeKit", version: "")
}
