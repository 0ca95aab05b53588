import ArgumentParser
import ProbeKit
import ProbePlatform
import ProbeRun

/// `probe models`: the TXT allow-list of a name, and whether a model is on it.
struct ModelsCommand: AsyncParsableCommand, SelectsBackends {
    static let configuration = CommandConfiguration(
        commandName: "models",
        abstract: "Read the model list that a name publishes as TXT records.",
        discussion: """
            EXAMPLES
              probe models models.example.com
              probe models models.example.com --model dc
              probe models models.example.com --model dc --dns-server 127.0.0.1:5353 --format json
              probe models models.example.com --model dc --cache default
              probe models models.example.com --dns-server https://dns.example/dns-query
              probe models --list names.txt --model dc --dns-server 127.0.0.1:5353 --resolver ldns
            """)

    @Argument(
        help: ArgumentHelp("The names that publish the list; further ones are alternates, in order.", valueName: "name")
    )
    var names: [String] = []

    @OptionGroup var listed: NamesOptions
    @OptionGroup var dns: DNSOptions

    @Option(
        help: ArgumentHelp(
            "DNS backend; repeat it, separate names by commas, or say all: all that can ask the DNS servers given, as the options say.",
            valueName: "name"))
    var resolver: [String] = ["all"]

    @Option(
        help: ArgumentHelp(
            "The most the whole question may take; fractions allowed; 10 when not given.", valueName: "seconds"))
    var timeout: Given<TimeLimit>?

    @Option(help: ArgumentHelp("Judge signatures at this instant (RFC 3339) instead of now.", valueName: "instant"))
    var at: Given<Date>?

    @OptionGroup var cache: CacheOptions
    @OptionGroup var plugins: PluginOptions
    @OptionGroup var output: OutputOptions

    var selection: BackendSelection {
        BackendSelection(plugins: plugins, transports: [], resolvers: resolver)
    }

    mutating func run() async throws {
        var options = ConnectionOptions()
        options.timeout = timeout
        options.at = at
        if let path = listed.list { return try await run(list: path, options) }
        guard listed.concurrency == nil else {
            throw InputError("--concurrency is of no use without --list", remedy: "leave it out, or name a list")
        }
        guard let subject = names.first else {
            throw InputError("no name was given", remedy: "write probe models NAME, or see probe models --help")
        }
        let asked = try dns.check(hosts: names, option: "NAME")
        let check = try cache.lifetime().map(asked.remembered) ?? asked
        let model = try BackendOptions.asked(check, resolvers: resolver)
        let chosen = try output.chosen()
        var report = ResultPrinter(chosen)
        let prober = Prober(
            clock: options.clock, modelCache: try cache.store(clock: at), lateness: OwnLateness.meter)
        report.add(await prober.probe(model.check, subject: subject, through: model.resolvers, timeout: options.limit))
        try report.finish()
    }

    /// Asks about the names of a list, each by itself.
    private func run(list path: String, _ options: ConnectionOptions) async throws {
        if let option = cache.given.first {
            throw InputError(
                "\(option) is of no use with --list, which asks about every name", remedy: "leave it out")
        }
        let chosen = try output.chosen()
        guard chosen.format == .json || chosen.format == .text, !chosen.isVerbose else {
            throw InputError(
                "--list is answered in JSON lines alone",
                remedy: "leave out \(chosen.isVerbose ? "--verbose" : "--format"), or say --format json")
        }
        let check = try dns.check(hosts: names, option: "NAME")
        try await listed.run(
            path, names: check.hosts, asking: try BackendOptions.asked(check, resolvers: resolver), at: at,
            clock: options.clock, timeout: options.limit)
    }
}
