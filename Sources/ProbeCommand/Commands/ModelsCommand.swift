import ArgumentParser
import ProbeKit
import ProbeNet
import ProbePlatform
import ProbeRun

/// `probe models`: the TXT allow-list of a name, and whether a model is on it.
struct ModelsCommand: AsyncParsableCommand, SelectsBackends {
    static let configuration = CommandConfiguration(
        commandName: "models",
        abstract: "Read the allow-list of security models that a name publishes as TXT records.",
        discussion: """
            EXAMPLES
              probe models models.example.com
              probe models models.example.com --model dc
              probe models models.example.com --model dc --dns-server 127.0.0.1:5353 --format json
              probe models models.example.com --model dc --cache default
              probe models models.example.com --dns-server https://dns.example/dns-query
              probe models models.example.com --authoritative
              probe models --list names.txt --model dc --dns-server 127.0.0.1:5353 --resolver ldns
            """)

    @Argument(
        help: ArgumentHelp("The names that publish the list; further ones are alternates, in order.", valueName: "name")
    )
    var names: [String] = []

    @Flag(
        help: "Ask every name server of the name's zone, found through the DNS servers, and compare what they publish.")
    var authoritative = false

    @Option(
        help: ArgumentHelp(
            "The port of the name servers that --authoritative asks; 53 when not given.", valueName: "number"),
        transform: OptionNumber.whole(1...65_535, ""))
    var nameServerPort: Int?

    @OptionGroup(visibility: .hidden) var addresses: AddressOptions
    @OptionGroup var listed: NamesOptions
    @OptionGroup var dns: DNSOptions

    @OptionGroup var asking: ResolverOption

    @Option(
        help: ArgumentHelp(
            "The most the whole question may take; fractions allowed; 10 when not given.", valueName: "seconds"))
    var timeout: Given<TimeLimit>?

    @Option(help: ArgumentHelp("Judge signatures at this instant (RFC 3339) instead of now.", valueName: "instant"))
    var at: Given<Date>?

    @OptionGroup var place: CachePlaceOptions
    @OptionGroup var lifetime: CacheLifetimeOption<WithoutProfile>
    @OptionGroup var plugins: PluginOptions
    @OptionGroup var output: OutputOptions

    private var cache: CacheOptions { CacheOptions(place, lifetime) }
    private var choice: BackendChoice { asking.choice }
    private var clock: ProbeClock { InstantOption.clock(at) }
    private var limit: Duration { timeout?.value.duration ?? TimeLimit.usual }

    var selection: BackendSelection {
        BackendSelection(plugins: plugins, transports: .empty, resolvers: choice)
    }

    mutating func run() async throws {
        if let option = addresses.given.first {
            throw InputError(
                "\(option) is not for models, which asks DNS servers at the addresses given",
                remedy: "give each with --dns-server, or ask all of a zone's with --authoritative")
        }
        guard authoritative || nameServerPort == nil else {
            throw InputError(
                "--name-server-port is of no use without --authoritative",
                remedy: listed.list == nil ? "leave it out, or add --authoritative" : "leave it out")
        }
        if let path = listed.list { return try await run(list: path) }
        guard listed.concurrency == nil else {
            throw InputError("--concurrency is of no use without --list", remedy: "leave it out, or name a list")
        }
        if authoritative { return try await askNameServers() }
        guard !names.isEmpty else {
            throw InputError("no name was given", remedy: "write probe models NAME, or see probe models --help")
        }
        try cache.refuse(unless: dns.model != nil)
        let asked = try question()
        let check = try cache.lifetime().map(asked.remembered) ?? asked
        let model = try BackendOptions.asked(check, resolvers: choice)
        let chosen = try output.chosen()
        var report = ResultPrinter(chosen)
        let prober = Prober(
            clock: clock, modelCache: try cache.store(clock: at), lateness: OwnLateness.meter)
        let results = await prober.probe(
            model.check, subject: model.check.subject, through: model.resolvers, timeout: limit)
        report.add(results)
        try report.finish()
    }

    /// Returns what is asked about the names.
    private func question() throws(InputError) -> ModelCheck {
        let check = try dns.check(hosts: names, option: "NAME")
        guard at == nil || check.dnssec != .off || !check.httpsServers.isEmpty || !check.tlsServers.isEmpty else {
            throw InputError(
                "--at is given, and nothing is judged at an instant",
                remedy: "leave it out: signatures are judged with --dnssec, or by a server over https or tls")
        }
        return check
    }

    /// Asks every name server of the name's zone.
    private func askNameServers() async throws {
        if let option = cache.given.first {
            throw InputError(
                "\(option) is of no use with --authoritative, which asks every name server", remedy: "leave it out")
        }
        guard names.count == 1 else {
            throw InputError(
                "--authoritative is about the zone of one name, and \(names.count) are given", remedy: "give one name")
        }
        let check = try question()
        guard !check.servers.isEmpty, check.httpsServers.isEmpty, check.tlsServers.isEmpty else {
            throw InputError(
                "--authoritative asks over UDP and TCP, and --dns-server is a URL",
                remedy: "find the name servers through --dns-server ADDR:PORT")
        }
        let model = try BackendOptions.asked(check, resolvers: choice)
        let chosen = try output.chosen()
        let deadline = Deadline.after(limit)
        let prober = Prober(clock: clock, lateness: OwnLateness.meter)
        var report = ResultPrinter(chosen)
        do throws(DNSFailure) {
            let found = try await NameServers.find(
                of: check.hosts[0], through: RecordLookup(at: check.servers), port: UInt16(nameServerPort ?? 53),
                by: deadline)
            let results = await prober.probe(
                model.check, at: found.servers.map { ("\($0)", $0.endpoint) }, through: model.resolvers,
                timeout: deadline.remaining)
            for each in results { report.add(each) }
            for lost in found.lost {
                report.add(
                    prober.probe(
                        model.check, failing: lost.failure, at: "\(lost.name)", through: model.resolvers))
            }
        } catch {
            report.add(prober.probe(model.check, failing: error, through: model.resolvers))
        }
        try report.finish()
    }

    /// Asks about the names of a list, each by itself.
    private func run(list path: String) async throws {
        guard !authoritative else {
            throw InputError("--list and --authoritative are given", remedy: "leave one of the two out")
        }
        if let option = cache.given.first {
            throw InputError(
                "\(option) is of no use with --list, which asks about every name", remedy: "leave it out")
        }
        let chosen = try output.chosen()
        guard chosen.format == .json || output.format == nil, !chosen.isVerbose else {
            throw InputError(
                "--list is answered in JSON lines alone",
                remedy: "leave out \(chosen.isVerbose ? "--verbose" : "--format"), or say --format json")
        }
        let check = try question()
        try await listed.run(
            path, names: check.hosts, asking: try BackendOptions.asked(check, resolvers: choice), at: at,
            clock: clock, timeout: limit)
    }
}
