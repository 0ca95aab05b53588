import ArgumentParser
import ProbeClients
import ProbeKit
import ProbeReport
import ProbeRun

/// `probe check`, also `probe` alone: a verdict for each target and backend.
struct CheckCommand: AsyncParsableCommand, SelectsBackends {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Judge targets, or all that a profile lists: TLS, trust, pins, and the allow-list of models in DNS.",
        discussion: """
            EXAMPLES
              probe check example.com
              probe check --backend openssl,gnutls --pin sha256/BASE64= https://api.example.com
              probe check --connect 127.0.0.1:8443 --ca ca.pem --at 2026-07-27T00:00:00Z example.com:443
              probe check example.com --model dc --model-host models.example.com --dns-server 127.0.0.1:5353
              probe check --profile app.yaml
              probe check --profile app.yaml --cache default
              probe check --format json example.com | jq .outcome
              probe check --chain renewed.pem --profile Info.plist api.example.com
              probe check --expires-within 21d example.com
              probe check --follow imap://example.com
              probe check --client android,ios,openssl-1.0.2e example.com

            With --chain the certificates of a file are judged as ever, by each backend's stack and the reference verifier, and \
            no connection is made; options that need one are refused.
            """)

    @OptionGroup var check: CheckOptions
    @OptionGroup var supplied: SuppliedChainOptions
    @OptionGroup var clients: ClientOptions
    @OptionGroup var retries: RetryOptions

    @Flag(help: "Exit with 17 if a check passes with warnings, as if a policy of your own failed.")
    var failOnWarning = false

    @OptionGroup var cache: CacheOptions
    @OptionGroup var output: OutputOptions

    var selection: BackendSelection { check.backends.selection }

    mutating func run() async throws {
        let chosen = try output.chosen()
        guard !failOnWarning || chosen.format != .nagios else {
            throw InputError(
                "--fail-on-warning is of no use with --format nagios, which has a code for warnings",
                remedy: "leave one of the two out")
        }
        do {
            try await judge(chosen)
        } catch let error as InputError where error.source == .signature && chosen.format == .nagios {
            // A plugin has no other codes, and a profile that somebody changed is an alarm.
            Terminal.print(NagiosReport.alarm(PrintableText.escape("\(error)")))
            throw ExitCode(NagiosReport.State.critical.rawValue)
        }
    }

    private func judge(_ chosen: OutputOptions.Chosen) async throws {
        guard clients.client.isEmpty else { return try await judgeAsClients(chosen) }
        guard supplied.chain.isEmpty else { return try await judgeSupplied(chosen) }
        let plan = try await check.plan().remembered(models: cache.lifetime())
        // A profile may have models or not: a script gives the option with each.
        try cache.refuse(unless: check.profile.profile != nil || check.dns.model != nil)
        let checks = try plan.checks.map(check.backends.asked)
        let models = try plan.models.map(check.backends.asked)
        let limit = check.connection.limit
        let prober = Prober(
            clock: check.connection.clock, reference: .withSystemSuffixes(),
            modelCache: try cache.store(clock: check.connection.at), lateness: OwnLateness.meter)
        let addresses = try check.addresses()
        var report = ResultPrinter(chosen, source: check.profile.profile, failsOnWarning: failOnWarning)
        for asked in checks {
            let parts = await prober.probe(asked, addresses, retries: retries.retry)
            report.add(parts.flatMap(\.results))
        }
        for asked in models {
            report.add(
                await prober.probe(
                    asked.check, subject: asked.check.subject, through: asked.resolvers, timeout: limit))
        }
        try report.finish()
    }

    /// Judges targets, or certificates from files, as clients would.
    private func judgeAsClients(_ chosen: OutputOptions.Chosen) async throws {
        try ClientChecks.refuse(check, besides: "--client")
        if let option = cache.given.first {
            throw InputError(
                "\(option) and --client are given, and clients ask no DNS for models", remedy: "leave \(option) out")
        }
        guard retries.retry == 0 else {
            throw InputError("--retry and --client are given", remedy: "leave one of the two out")
        }
        if !supplied.chain.isEmpty { try ConnectionlessOptions.refuse(check, cache) }
        var catalogue = try ClientCatalogue.shipped()
        let judged = try await ClientChecks.results(check, supplied, try catalogue.named(clients.client))
        var report = ResultPrinter(chosen, source: check.profile.profile, failsOnWarning: failOnWarning)
        for (_, results) in judged { report.add(results.map(\.result)) }
        try report.finish()
    }

    /// Judges certificates from files in the same way.
    private func judgeSupplied(_ chosen: OutputOptions.Chosen) async throws {
        try ConnectionlessOptions.refuse(check, cache)
        guard retries.retry == 0 else {
            throw InputError(
                "--retry and --chain are given, and with --chain nothing is asked", remedy: "leave one of the two out")
        }
        let checks = try await check.plan(supplied).checks
        let chains = try supplied.chains(for: checks)
        let (transports, notes) = try check.backends.able(needing: [])
        // Nothing is asked, so no server can be blamed for our lateness.
        let prober = Prober(clock: check.connection.clock, reference: .withSystemSuffixes())
        let source = try check.profile.profile ?? supplied.chain.first.map { try ChainArgument($0).path }
        var report = ResultPrinter(chosen, source: source, failsOnWarning: failOnWarning)
        for (check, chain) in zip(checks, chains) {
            let announced = notes.reduce(check) { $0.announcing($1) }
            report.add(await prober.probe(announced, supplied: chain, through: transports))
        }
        try report.finish()
    }
}
