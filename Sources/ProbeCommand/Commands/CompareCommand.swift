import ArgumentParser
import ProbeKit
import ProbeReport
import ProbeRun

/// `probe compare`: one target through every backend, side by side.
struct CompareCommand: AsyncParsableCommand, SelectsBackends {
    static let configuration = CommandConfiguration(
        commandName: "compare",
        abstract: "Show what each TLS and DNS stack makes of a target, and explain each difference.",
        discussion: """
            EXAMPLES
              probe compare example.com
              probe compare --connect 127.0.0.1:8443 --ca ca.pem --format json example.com
              probe compare example.com --model dc --model-host models.example.com
            """)

    @OptionGroup var check: CheckOptions
    @OptionGroup var output: PlainOutputOptions

    var selection: BackendSelection { check.backends.selection }

    mutating func run() async throws {
        let format = try output.chosen()
        let plan = try await check.plan()
        let checks = try plan.checks.map(check.backends.asked)
        let models = try plan.models.map(check.backends.asked)
        // A comparison names the backends that were left out itself.
        var notes = RunNotes()
        notes.report(checks.flatMap(\.notes).filter { !$0.isAboutLeftOut })
        let limit = check.connection.limit
        let prober = Prober(
            clock: check.connection.clock, reference: .withSystemSuffixes(), lateness: OwnLateness.meter)
        var outcomes: [Outcome] = []
        let addresses = try check.addresses()
        func compare(_ results: [ProbeResult], of target: String) {
            outcomes += results.map(\.verdict.outcome)
            let comparison = Comparison(results, target: target)
            if !comparison.faults.isEmpty {
                outcomes.append(.internalError)
            } else if comparison.differ {
                outcomes.append(.stacksDisagree)
            }
            switch format {
            case .json: Terminal.print(JSONText.line(comparison))
            default: Terminal.print(ComparisonText(style: Style(isColoured: Terminal.wantsColour)).text(comparison))
            }
        }
        for asked in checks {
            for (check, results) in await prober.probe(asked, addresses) {
                compare(results, of: check.named.description)
            }
        }
        for asked in models {
            compare(
                await prober.probe(
                    asked.check, subject: asked.check.subject, through: asked.resolvers, timeout: limit),
                of: asked.check.subject)
        }
        let outcome = Outcome.deciding(among: outcomes)
        if !outcome.isPass { throw ExitCode(outcome.exitCode) }
    }
}
