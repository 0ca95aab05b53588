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
            """)

    @Argument(
        help: ArgumentHelp("The names that publish the list; further ones are alternates, in order.", valueName: "name")
    )
    var names: [String] = []

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
        guard let subject = names.first else {
            throw InputError("no name was given", remedy: "write probe models NAME, or see probe models --help")
        }
        var options = ConnectionOptions()
        options.timeout = timeout
        options.at = at
        let clock = options.clock
        let limit = options.limit
        let asked = try dns.check(hosts: names, option: "NAME")
        let check = try cache.lifetime().map(asked.remembered) ?? asked
        let model = try BackendOptions.asked(check, resolvers: resolver)
        let chosen = try output.chosen()
        var report = ResultPrinter(chosen)
        let prober = Prober(clock: clock, modelCache: try cache.store(clock: at), lateness: OwnLateness.meter)
        report.add(await prober.probe(model.check, subject: subject, through: model.resolvers, timeout: limit))
        try report.finish()
    }
}
