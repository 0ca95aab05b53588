import ArgumentParser
import Foundation
import ProbeConformance
import ProbeExternal
import ProbeKit

/// `probe conformance`: every promise over every backend, as a matrix.
struct ConformanceCommand: AsyncParsableCommand, SelectsBackends {
    static let configuration = CommandConfiguration(
        commandName: "conformance",
        abstract: "Run the conformance suite on the backends, and print the matrix.",
        discussion: """
            Servers, good and hostile, are started on loopback; nothing else is contacted. A case whose outcome is not the \
            promised one is marked (!) and explained below the matrix; a known difference between stacks is shown with \
            each stack's outcome, and fails when it is no more as it is written down. A backend that never answers is \
            given up, so the suite always ends.

            EXAMPLES
              probe conformance                                       all backends, all cases
              probe conformance --backend gnutls --filter tls/pins/   some cases of one backend
              probe conformance --list --filter dns/aliases/          these cases, with their promises
              probe conformance --format html --output matrix.html    a page with the evidence behind each cell
              probe conformance --exemptions Plugins/go-tls/exemptions.json
              probe conformance --format json | jq 'select(.kept | not)'
              probe conformance --divergences > docs/divergences.md
              probe conformance --explore 60 --seed 7                 chains made at random that the backends judge differently
              probe conformance --explore-chains 100000 --examples found --format json > kinds.jsonl
              probe conformance --explore-replies 10000               DNS replies that the resolvers read differently

            EXIT CODES
              0 every backend is as promised, and all are alike · 30 one is not, or they differ
              with --explore: 0 every difference found is known · 30 one is new · 70 a backend crashed or hung
              40 every case needs ::1, and this machine does not have it
              64 usage · 65 a file of exemptions can't be used
              70 a case could not be played, or a backend faulted: it crashed, garbled a reply, or never answered
            """)

    @OptionGroup var backends: BackendOptions

    @Option(
        help: ArgumentHelp(
            "Only the case with this id, or those whose id contains this text, like tls/trust/ or renewed.",
            valueName: "text"))
    var filter: String?

    @Flag(help: "List the cases with their promises, and run nothing.")
    var list = false

    @Option(
        help: ArgumentHelp(
            "How backends are known to differ, and why: a file in the schema probe-exemptions/1. Repeat it for more.",
            valueName: "file"), completion: .file())
    var exemptions: [String] = []

    @Flag(help: "Write the page of known differences as Markdown, and run nothing.")
    var divergences = false

    @Option(
        help: ArgumentHelp("text, json (one object a line), junit or html.", valueName: "format"),
        completion: .words(of: ConformanceFormat.self))
    var format = ConformanceFormat.text.rawValue

    @Option(
        help: ArgumentHelp("The file to write; without it, standard output.", valueName: "file"), completion: .file())
    var output: String?

    @OptionGroup var exploration: ExploreOptions

    @OptionGroup var log: LogOptions

    var selection: BackendSelection { backends.selection }

    /// The files beside programs that were not named.
    private var programsFiles: [String] {
        let named = Set(exemptions.map { URL(filePath: $0).standardizedFileURL.path })
        return Backends.current.exemptions.filter { !named.contains($0) }
    }

    mutating func run() async throws {
        if exploration.isAsked { return try await explore() }
        guard exploration.idle.isEmpty else {
            throw InputError(
                "\(exploration.idle.joined(separator: ", ")) is for a search",
                remedy: "add --explore SECONDS, --explore-chains COUNT or --explore-replies COUNT")
        }
        try refuseBesideList()
        if let output { try SharedFile.refuse(self.exemptions + programsFiles, writingTo: output, of: "--output") }
        // Once: one of them may be a pipe.
        let named = try ConformanceExemptions.read(self.exemptions)
        let exemptions = try ConformanceExemptions.read(programsFiles, beside: named)
        try refuseBesideDivergences()
        if divergences { return try write(DivergencePage.markdown(with: exemptions)) }
        guard let form = ConformanceFormat(rawValue: format) else {
            throw InputError(
                "--format '\(format)' is not printed here",
                remedy: "choose \(ConformanceFormat.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        // A build may have backends of one kind alone.
        let transports = Backends.current.transports.isEmpty ? [] : try backends.transports()
        let resolvers = try backends.resolvers()
        let suite = ConformanceSuite(
            transports: transports, resolvers: resolvers, validators: try backends.validators(), exemptions: exemptions,
            filter: filter)
        if !suite.leftOut.isEmpty {
            Terminal.printError(
                "note: this machine has no address ::1, so these cases are left out: \(suite.leftOut.joined(separator: ", "))"
            )
        }
        if list, suite.count > 0 || suite.leftOut.isEmpty { return try write(list(suite)) }
        guard suite.count > 0 || suite.leftOut.isEmpty else { throw ExitCode(Outcome.unsupported.exitCode) }
        guard suite.count > 0 else {
            throw Self.noCase(filter)
        }
        try reportStrangers(named, among: exemptions, asked: suite.backends)
        // Checked before the suite runs rather than after.
        try output.map(OutputFile.init)?.check()
        let report = await suite.run(progress: ConformanceProgress.onTerminal)
            .addingLosses(transports: Self.losses(of: transports), resolvers: Self.losses(of: resolvers))
        Terminal.showProgress("")
        try write(form.text(report))
        if output != nil { Terminal.printError(report.summary) }
        guard !report.cases.contains(where: { $0.cells.contains(where: \.isFault) }) else {
            throw ExitCode(Outcome.internalError.exitCode)
        }
        if !report.isKept { throw ExitCode(Outcome.stacksDisagree.exitCode) }
    }

    /// Returns the programs among backends that were lost so far.
    private static func losses<Asked>(of backends: [Asked]) -> [ConformanceReport.Loss] {
        backends.compactMap { backend in
            guard let program = backend as? any ProgramBackend, let reason = program.losses else { return nil }
            return (backend: program.name, reason: reason)
        }
    }

    /// Ends a search with the code of a fault if a resolver's program was lost: it was asked again, and the kinds do not show it.
    private static func failIfLost() throws(ExitCode) {
        let losses = Self.losses(of: Backends.current.resolvers)
        for loss in losses { Terminal.printError("probe: \(loss.backend): \(loss.reason)") }
        guard losses.isEmpty else { throw ExitCode(Outcome.internalError.exitCode) }
    }

    private func explore() async throws {
        let idle = [
            ("--filter", filter != nil), ("--exemptions", !exemptions.isEmpty), ("--divergences", divergences),
            ("--list", list), ("--resolver", !backends.resolverChoice.isDefault && exploration.exploreReplies == nil),
            ("--backend", !backends.transportChoice.isDefault && exploration.exploreReplies != nil),
            ("--system-settings", backends.systemSettings),
        ].filter(\.1).map(\.0)
        guard idle.isEmpty else {
            throw InputError(
                "\(idle.joined(separator: ", ")) is not for a search", remedy: "leave it out, or run the suite alone")
        }
        guard let form = ConformanceFormat(rawValue: format), [.text, .json].contains(form) else {
            throw InputError("--format '\(format)' is not printed by a search", remedy: "choose text or json")
        }
        let file = output.map(OutputFile.init)
        if exploration.exploreReplies != nil {
            do {
                try await ReplySearch(options: exploration, backends: backends, output: file, format: form).run()
            } catch let code as ExitCode where code.rawValue < 128 {
                // A signal's code stays.
                try Self.failIfLost()
                throw code
            }
            try Self.failIfLost()
        } else {
            try await ChainSearch(options: exploration, backends: backends, output: file, format: form).run()
        }
    }

    /// A list has no results, so that nothing can be exempted, and one form.
    private func refuseBesideList() throws(InputError) {
        let idle = [
            ("--divergences", divergences), ("--exemptions", !exemptions.isEmpty),
            ("--format \(format)", format != ConformanceFormat.text.rawValue),
            ("--system-settings", backends.systemSettings),
        ].filter(\.1).map(\.0)
        guard !list || idle.isEmpty else {
            throw InputError("--list can't be combined with \(idle.joined(separator: ", "))", remedy: "leave one out")
        }
    }

    /// The page is of all differences that are written down, as Markdown.
    private func refuseBesideDivergences() throws(InputError) {
        let idle = [
            ("--backend", !backends.transportChoice.isDefault), ("--resolver", !backends.resolverChoice.isDefault),
            ("--filter", filter != nil), ("--format \(format)", format != ConformanceFormat.text.rawValue),
            ("--system-settings", backends.systemSettings),
        ].filter(\.1).map(\.0)
        guard !divergences || idle.isEmpty else {
            throw InputError(
                "--divergences can't be combined with \(idle.joined(separator: ", "))", remedy: "leave one out")
        }
    }

    private func list(_ suite: ConformanceSuite) throws(InputError) -> String {
        let cases = suite.cases
        guard !cases.isEmpty else { throw Self.noCase(filter) }
        let rows = cases.map { row in
            [
                row.id, ([row.expected.rawValue] + [row.expectedCode].compactMap(\.self)).joined(separator: " "),
                row.sentence,
            ]
        }
        return TextTable(columns: ["CASE", "PROMISED", "PROMISE"], rows: rows).text
    }

    private static func noCase(_ filter: String?) -> InputError {
        InputError(
            "--filter '\(filter ?? "")' is in the id of no case",
            remedy: "give a part of an id, like tls/pins/; probe conformance --list shows them all")
    }

    /// A misspelt name exempts nobody, and would never be found stale; nor would a case of another kind of backend.
    private func reportStrangers(
        _ named: ConformanceExemptions, among read: ConformanceExemptions, asked: Set<String>
    ) throws(InputError) {
        let all = Backends.current
        try read.check(
            transports: Set(all.transports.map(\.name)), resolvers: Set(all.resolvers.map(\.name)),
            validators: Set(all.validators.map(\.name)))
        // A program's own file may be about others beside it.
        for name in named.backends.subtracting(asked).sorted() {
            Terminal.printError(
                "note: --exemptions names '\(PrintableText.escape(name))', which is not a backend that is asked here")
        }
    }

    private func write(_ text: String) throws {
        guard let output else { return Terminal.print(text) }
        try OutputFile(path: output).write(report: text)
    }
}
