import ArgumentParser
import ProbeKit
import ProbeProfiles

/// The ordinary verdicts on the chains of `--chain`, beside the findings of a lint or a forecast.
struct ServedVerdicts {
    private var outcomes: [Outcome] = []

    /// Judges each service's chain as `probe check --chain` would, and reports failures on standard error.
    init(_ served: ServedChains, checks: [Check], clock: ProbeClock) async throws {
        let transports = try Backends.current.transports(named: ["all"])
        let prober = Prober(clock: clock)
        for check in checks {
            guard let label = check.service, let chain = served.chains[label] else { continue }
            let verdicts = await prober.probe(check, supplied: chain, through: transports).map(\.verdict)
            let outcome = Outcome.deciding(among: verdicts.map(\.outcome))
            outcomes.append(outcome)
            guard !outcome.isPass,
                let finding = verdicts.lazy.compactMap(\.decidingFinding).first(where: { $0.outcome == outcome })
            else { continue }
            Terminal.printError(
                "probe: \(PrintableText.escape(label)) with \(served.files[label] ?? "its chain"): \(outcome.rawValue): \(finding.message)"
            )
        }
    }

    /// - Throws: the exit code of the most severe verdict, unless all pass.
    func end() throws {
        let outcome = Outcome.deciding(among: outcomes)
        if !outcome.isPass { throw ExitCode(outcome.exitCode) }
    }
}
