import ArgumentParser
import ProbeKit
import ProbeProfiles
import ProbeReport
import ProbeRun

/// `probe profile forecast`: the failures after changes of a server's certificates.
struct ProfileForecastCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forecast",
        abstract: "Forecast what breaks when: renewals, new keys, new CAs, windows, expiries, for each platform.",
        discussion: """
            Each event is judged as a check would judge it, on the chain as it would be then: the one that --live or --chain \
            shows, or else any that the pins match today. Changes of the chain build on each other: a new intermediate comes \
            with a new leaf and a new key.

            With --client or --fleet the chain is also judged as the shipped clients would, on the day and whenever a certificate \
            of their paths, a root, pins or a window ends, until the leaf does.

            EXAMPLES
              probe profile forecast app.yaml
              probe profile forecast app.yaml --live
              probe profile forecast Info.plist --chain api.example.com=chain.pem --at 2027-01-01T00:00:00Z --format json
              probe profile forecast app.yaml --chain renewed.pem --fleet fleet.yaml

            EXIT CODES
              0, or that of 'probe check --chain' where a chain of --chain does not pass; with --client or --fleet that of the \
            clients before the leaf's end, 16 where too few of a fleet connect; that of a check where a server of --live shows no chain · \
            15 a list that the key did not sign · 64 usage · 65 bad input file
            """)

    @OptionGroup var served: ServedOptions
    @OptionGroup var clients: ClientOptions

    @Option(
        help: ArgumentHelp(
            "Say for each day how many of these users connect: clients and their shares, YAML as for probe fleet.",
            valueName: "file"), completion: .file())
    var fleet: String?

    @OptionGroup var output: PlainOutputOptions

    mutating func run() async throws {
        let printed = try output.chosen()
        let instant = served.connection.clock.now
        let read = try served.profile()
        let shipped = try ForecastClients(client: clients.client, fleet: fleet, served)
        let profile = read.profile
        let file = PrintableText.escape(served.file)
        for note in read.notes where note.severity == .warning { Terminal.printError("probe: \(file): \(note)") }
        var evidence = await ServedEvidence([:])
        var checks: [Check] = []
        var outcome: Outcome?
        if served.live || !served.chain.isEmpty {
            let compiled = try served.checks(read)
            checks = compiled.services
            evidence = try await served.evidence(read, compiled)
            // The verdicts of today's stacks; where clients were asked for, theirs count.
            if shipped == nil {
                outcome = try await ServedVerdicts(
                    read.served, checks: checks, clock: served.connection.clock
                ).outcome
            }
        }
        let chains = evidence.chains
        for (label, chain) in chains.sorted(by: { $0.key < $1.key }) where chain.certificates.isEmpty {
            let verdict = Verdict(HandshakeCompletes().judge(Evidence(connection: chain, model: nil), at: instant))
            let why = verdict.decidingFinding?.message ?? "no certificate came"
            Terminal.printError("probe: \(PrintableText.escape(label)) could not be asked: \(why)")
            let failure = verdict.outcome.isPass ? .unreachable : verdict.outcome
            outcome = Outcome.deciding(among: [failure] + [outcome].compactMap(\.self))
        }
        let forecast = ProfileForecast(
            profile, chains: chains, compared: try served.compared(profile), format: read.format,
            refusals: evidence.reasons)
        let rows = forecast.rows(at: instant)
        // A server that could not be asked says nothing about the file.
        guard !rows.isEmpty || outcome?.isPass == false else {
            let remedy =
                switch read.format {
                case .nativeYAML, .nativeJSON: "give it services, and pins for them"
                case _ where profile.hosts.isEmpty: "say with --host NAME which host its pins are for"
                default: "give a chain of one of its hosts with --chain HOST=FILE"
                }
            throw InputError("\(served.file) pins nothing for any service", remedy: remedy, source: .file)
        }
        let judged =
            try await shipped?.services(
                checks, chains: chains.mapValues { chain in chain.presented.map { chain.certificates[$0].der } },
                rows: rows, from: instant) ?? []
        switch printed {
        case .json:
            for row in rows { Terminal.print(JSONText.line(ForecastLine(row))) }
            for line in shipped?.lines(judged) ?? [] { Terminal.print(JSONText.line(line)) }
        default:
            let style = Style(isColoured: Terminal.wantsColour)
            let clients = shipped.map { ForecastClientsText(clients: $0, style: style).lines(judged) } ?? [:]
            Terminal.print(ForecastText(style: style).text(rows, at: instant, clients: clients))
        }
        if let shipped { outcome = Outcome.deciding(among: [shipped.outcome(judged)] + [outcome].compactMap(\.self)) }
        if let outcome, !outcome.isPass { throw ExitCode(outcome.exitCode) }
    }
}
