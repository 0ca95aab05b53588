import ArgumentParser
import ProbeConformance
import ProbeKit

/// `probe conformance`: every promise over every backend, as a matrix.
struct ConformanceCommand: AsyncParsableCommand, SelectsBackends {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Hold the backends to everything they promise, and print the matrix.",
        discussion: """
            Servers, good and hostile, are started on loopback; nothing else is contacted. A case whose outcome is not the \
            promised one is marked (!) and explained below the matrix; a known difference between stacks is shown with \
            each stack's outcome, and fails when it is no more as it is written down.

            EXAMPLES
              probe conformance                                       all backends, all cases
              probe conformance --backend gnutls --filter tls/pins/   some cases of one backend
              probe conformance --format json | jq 'select(.kept | not)'
              probe conformance --divergences > docs/divergences.md

            EXIT CODES
              0 every backend is as promised, and all are alike · 30 one is not, or they differ
              64 usage · 70 a case could not be played
            """)

    @OptionGroup var backends: BackendOptions

    @Option(
        help: ArgumentHelp("Only cases whose id contains this text, like tls/trust/ or renewed.", valueName: "text"))
    var filter: String?

    @Option(
        help: ArgumentHelp(
            "How backends are known to differ, and why: a file in the schema probe-exemptions/1. Repeat it for more.",
            valueName: "file"))
    var exemptions: [String] = []

    @Flag(help: "Write the page of known differences as Markdown, and run nothing.")
    var divergences = false

    @OptionGroup var output: OutputOptions

    var selection: BackendSelection { backends.selection }

    mutating func run() async throws {
        let exemptions = try ConformanceExemptions.read(exemptions)
        if divergences { return Terminal.print(DivergencePage.markdown(with: exemptions)) }
        let format = try output.format(among: [.text, .json])
        // A build may have backends of one kind alone.
        let suite = ConformanceSuite(
            transports: Backends.current.transports.isEmpty ? [] : try backends.transports(),
            resolvers: try backends.resolvers(), validators: try backends.validators(), exemptions: exemptions,
            filter: filter)
        guard suite.count > 0 else {
            throw InputError(
                "--filter '\(filter ?? "")' is in the id of no case",
                remedy: "give a part of an id, like tls/pins/; probe conformance alone shows them all")
        }
        let report = await suite.run(progress: Self.progress)
        Terminal.showProgress("")
        switch format {
        case .json: for line in report.lines { Terminal.print(line) }
        default: Terminal.print(report.matrix)
        }
        guard !report.cases.contains(where: { $0.cells.contains(where: \.isFault) }) else {
            throw ExitCode(Outcome.internalError.exitCode)
        }
        if !report.isKept { throw ExitCode(Outcome.stacksDisagree.exitCode) }
    }

    /// For a person who waits; nothing where nobody watches.
    private static var progress: (@Sendable (ConformanceSuite.Progress) async -> Void)? {
        guard Terminal.canShowProgress else { return nil }
        return { progress in
            Terminal.showProgress("\(progress.done)/\(progress.total)  \(progress.id)  \(progress.cell.backend)")
        }
    }
}
