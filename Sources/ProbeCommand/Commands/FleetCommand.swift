import ArgumentParser
import ProbeClients
import ProbeKit
import ProbeReport
import ProbeRun

/// `probe fleet`: the share of a service's users who connect, by the clients they have.
struct FleetCommand: AsyncParsableCommand, SelectsBackends {
    static let configuration = CommandConfiguration(
        commandName: "fleet",
        abstract: "Count how many of your users connect, by the clients they have: before a change, or now.",
        discussion: """
            The fleet is a file: clients with their shares of the users, the share that has to connect, and targets or the \
            app's profile. Below the minimum the exit code is 16. Options of a check about trust, offers and allow-lists are \
            refused: each client brings its own.

            EXAMPLES
              probe fleet --fleet fleet.yaml example.com
              probe fleet --fleet fleet.yaml --chain renewed.pem example.com
              probe fleet --fleet fleet.yaml --at 2021-10-01T00:00:00Z example.com
              probe fleet --fleet fleet.yaml --format json
              probe fleet --fleet fleet.yaml --format html > fleet.html
            """)

    @Option(help: ArgumentHelp("The clients and their shares, YAML.", valueName: "file"), completion: .file())
    var fleet: String

    @OptionGroup var app: AppCheckOptions
    // Read to be refused by name.
    @OptionGroup(visibility: .hidden) var own: ClientFactOptions
    @OptionGroup var supplied: SuppliedChainOptions

    @Option(
        help: ArgumentHelp("text, json (one object a line), junit, sarif or html.", valueName: "format"),
        completion: .words(of: FleetFormat.self))
    var format = FleetFormat.text.rawValue

    @OptionGroup var log: LogOptions

    var selection: BackendSelection { check.backends.selection }

    private var check: CheckOptions { CheckOptions(app, own) }

    mutating func run() async throws {
        let format = try FleetFormat(named: format)
        try ClientChecks.refuse(check, besides: "--fleet")
        if !supplied.chain.isEmpty { try ConnectionlessOptions.refuse(check, nil) }
        let read = try FleetFile.read(fleet, try ClientCatalogue.shipped())
        if app.targets.isEmpty { app.targets = read.targets }
        if app.profile.profile == nil { app.profile.profile = read.profile }
        guard !app.targets.isEmpty || app.profile.profile != nil || !supplied.chain.isEmpty else {
            throw InputError(
                "no target was given", remedy: "name one, or write 'targets' or 'profile' in \(fleet)", source: .file)
        }
        let judged = try await ClientChecks.results(check, supplied, read.members.map(\.client))
        var printer = ResultPrinter(
            OutputOptions.Chosen(format: format.ofResults ?? .text, isVerbose: false), source: fleet)
        var notes = RunNotes()
        notes.report(judged.flatMap(\.results).flatMap(\.result.verdict.findings))
        var outcomes: [Outcome] = []
        var page: [(check: Check, reading: FleetReading)] = []
        for (check, results) in judged {
            let reading = FleetReading(read, results)
            outcomes.append(reading.outcome)
            switch format {
            case .text: Terminal.print(FleetText(style: Style(isColoured: Terminal.wantsColour)).text(check, reading))
            case .json: Terminal.print(JSONText.line(FleetLine(check, reading)))
            case .html: page.append((check, reading))
            case .junit, .sarif: printer.add(FleetResults.of(check, reading))
            }
        }
        if format.ofResults != nil { printer.printWhole() }
        if format == .html { Terminal.print(FleetPage(readings: page).text) }
        let outcome = Outcome.deciding(among: outcomes)
        if !outcome.isPass { throw ExitCode(outcome.exitCode) }
    }
}

/// The forms in which a fleet's readings are printed.
enum FleetFormat: String, CaseIterable {
    case text
    case json
    case junit
    case sarif
    case html

    /// Creates the format of `--format`.
    init(named name: String) throws(InputError) {
        guard let format = FleetFormat(rawValue: name) else {
            throw InputError(
                "--format '\(name)' is not printed here",
                remedy: "choose \(Self.allCases.map(\.rawValue).joined(separator: ", "))")
        }
        self = format
    }

    /// The format of each client's result, where the output is one of those; nil where it is of the fleet.
    var ofResults: OutputFormat? {
        switch self {
        case .junit: .junit
        case .sarif: .sarif
        case .text, .json, .html: nil
        }
    }
}
