import ArgumentParser
import ProbeKit
import ProbeProfiles

/// `probe profile forecast`: the failures after changes of a server's certificates.
struct ProfileForecastCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forecast",
        abstract: "Tell what breaks when: renewals, new keys, new CAs, windows, expiries, for each platform.",
        discussion: """
            Each event is judged as a check would judge it, on the chain as it would be then: the one that --live or --chain \
            shows, or else any that the pins match today. Changes of the chain build on each other: a new intermediate comes \
            with a new leaf and a new key.

            EXAMPLES
              probe profile forecast app.yaml
              probe profile forecast app.yaml --live
              probe profile forecast Info.plist --chain api.example.com=chain.pem --at 2027-01-01T00:00:00Z --format json

            EXIT CODES
              0, or that of 'probe check --chain' where a chain of --chain does not pass · 64 usage · 65 bad input file
            """)

    private struct Line: Encodable {
        let schema = "probe-forecast/1"
        let service: String
        let event: ForecastEvent
        @Always var date: String?
        @Always var frequency: String?
        let platform: String
        let result: ForecastRow.Result
        let reason: String

        init(_ row: ForecastRow) {
            service = row.service
            event = row.event
            date = row.date.map(RFC3339.format)
            frequency = row.frequency
            platform = row.platform
            result = row.result
            reason = row.reason
        }
    }

    @OptionGroup var served: ServedOptions
    @OptionGroup var output: PlainOutputOptions

    mutating func run() async throws {
        let printed = try output.chosen()
        let instant = served.connection.clock.now
        let read = try served.profile()
        let profile = read.profile
        for note in read.notes where note.severity == .warning { Terminal.printError("probe: \(served.file): \(note)") }
        var chains: [String: ConnectionEvidence] = [:]
        var verdicts: ServedVerdicts?
        if served.live || !served.chain.isEmpty {
            let checks = try served.checks(read)
            chains = try await served.chains(read, checks)
            verdicts = try await ServedVerdicts(
                read.served, checks: checks.services, clock: served.connection.clock)
        }
        for (label, chain) in chains.sorted(by: { $0.key < $1.key }) where chain.certificates.isEmpty {
            Terminal.printError(
                "probe: \(label) could not be asked: \(chain.report.failure?.message ?? "no certificate came")")
        }
        let forecast = ProfileForecast(profile, chains: chains, compared: try served.compared(profile))
        let rows = forecast.rows(at: instant)
        guard !rows.isEmpty else {
            throw InputError(
                "\(served.file) pins nothing for any service", remedy: "give it services, and pins for them",
                source: .file)
        }
        switch printed {
        case .json: for row in rows { Terminal.print(JSONText.line(Line(row))) }
        default: Terminal.print(ForecastText(style: Style(isColoured: Terminal.wantsColour)).text(rows, at: instant))
        }
        try verdicts?.end()
    }
}
