import ArgumentParser
import ProbeKit
import ProbeReport
import ProbeRun
import ProbeScan
import ProbeSurvey

/// `probe survey`: what a server offers.
struct SurveyCommand: AsyncParsableCommand, SelectsBackends {
    static let configuration = CommandConfiguration(
        commandName: "survey",
        abstract: "Show what a server offers: versions, cipher suites, groups, signature algorithms, ALPN, tickets.",
        discussion: """
            Everything a stack can offer is offered; what the server chooses is removed, and it is asked again until it \
            refuses. What one stack can't offer another is asked for, and what none can is listed as not asked: it may be \
            supported or not. Neither trust nor pins are judged, and no proxy is used: options about these are refused.

            The timeout is for the whole survey, and 120 seconds when not given. With --all-addresses each address is surveyed \
            by itself, with --family the first address of the family.

            EXAMPLES
              probe survey example.com
              probe survey --starttls smtp mail.example.com
              probe survey --backend openssl --format json --connect 127.0.0.1:8443 example.com
            """)

    @Argument(help: ArgumentHelp("A target as for check.", valueName: "target"))
    var target: String

    @Option(
        help: ArgumentHelp(
            "TLS backend to ask through; repeat it, separate names by commas, or say all: all that can make offers.",
            valueName: "name"), completion: .transports)
    var backend: [String] = ["all"]

    @Option(
        help: ArgumentHelp("The most handshakes to make, 1 to 1000; 60 when not given.", valueName: "count"),
        transform: OptionNumber.whole(1...1000, ""))
    var handshakes: Int = SurveyRequest.usualMaximum

    @OptionGroup var place: DialOptions
    @OptionGroup var start: StartOptions
    @OptionGroup var addresses: AddressOptions
    // Read to be refused by name.
    @OptionGroup(visibility: .hidden) var anchor: AnchorOptions
    @OptionGroup(visibility: .hidden) var moment: InstantOption
    @OptionGroup(visibility: .hidden) var revocation: RevocationOptions
    @OptionGroup(visibility: .hidden) var proxy: ProxyOptions
    @OptionGroup var plugins: PluginOptions
    @OptionGroup var output: PlainOutputOptions

    var selection: BackendSelection {
        BackendSelection(plugins: plugins, transports: BackendChoice(backend), resolvers: .empty)
    }

    private var connection: ConnectionOptions { ConnectionOptions(place, anchor, moment) }
    private var reach: ReachOptions { ReachOptions(start, proxy, addresses) }

    mutating func run() async throws {
        let format = try output.chosen()
        try refuseTrust()
        try refuseRoutes()
        // The time of a survey is for each address, since each is a survey of its own.
        let limit = place.timeout?.value.duration ?? .seconds(120)
        let target = try reach.target(target, connection)
        let (addresses, identity) = (try reach.addresses.choice(connection), try reach.identity())
        let chosen = try Backends.current.transports(named: BackendChoice(backend))
        var outcomes: [Outcome] = []
        for part in await addresses.parts(of: Check(target: target, anchors: .none, timeout: limit)) {
            var request = SurveyRequest(
                target: part.target, clientIdentity: identity, maximum: handshakes, timeout: part.timeout,
                instant: connection.clock.now)
            request.absence = part.route.absence
            FollowedText.complain(part)
            outcomes.append(await survey(request, format, through: chosen))
        }
        let outcome = Outcome.deciding(among: outcomes)
        if !outcome.isPass { throw ExitCode(outcome.exitCode) }
    }

    private func survey(
        _ request: SurveyRequest, _ format: OutputFormat, through chosen: [any Transport]
    ) async -> Outcome {
        let transports: [any Transport]
        switch self.transports(for: request, among: chosen) {
        case .success(let able): transports = able
        case .failure(let lack):
            _ = Terminal.report(lack)
            return .unsupported
        }
        let surveyor = Surveyor(transports: transports, lateness: OwnLateness.meter)
        let survey = await surveyor.survey(request)
        switch format {
        case .json: Terminal.print(JSONText.line(survey))
        default:
            let text = SurveyText(style: Style(isColoured: Terminal.wantsColour), columns: Terminal.columns ?? 80)
            Terminal.print(text.text(survey))
        }
        return survey.outcome
    }

    /// Rejects options about trust, which is not judged.
    private func refuseTrust() throws(InputError) {
        let given =
            connection.anchorOption ?? revocation.given.first ?? (connection.at != nil ? "--at" : nil)
        guard let given else { return }
        throw InputError(
            "\(given) is of no use for survey, which judges no trust", remedy: "leave it out, or use check")
    }

    /// Rejects ways to the server other than a connection to an address.
    private func refuseRoutes() throws(InputError) {
        guard let given = proxy.given.first ?? (place.socket == nil ? nil : "--connect unix:") else {
            return
        }
        throw InputError("\(given) is not for survey", remedy: "leave it out, or use check")
    }

    /// Returns the chosen stacks, or the reason why they can't ask: one that is named itself has to be able to, and of all one.
    private func transports(
        for request: SurveyRequest, among chosen: [any Transport]
    ) -> Result<[any Transport], InputError> {
        let unable = chosen.filter { !Surveyor.missing(for: request, from: $0).isEmpty }
        guard let first = unable.first, !BackendChoice(backend).isAll || unable.count == chosen.count else {
            return .success(chosen)
        }
        let missing = Surveyor.missing(for: request, from: first).map(\.rawValue).sorted().joined(separator: ", ")
        return .failure(
            InputError(
                "--backend \(first.name) can't be asked: it lacks \(missing)",
                remedy: "choose one that probe backends lists with \(missing)"))
    }
}
