import ArgumentParser
import ProbeKit

/// `probe check`, also `probe` alone: a verdict for each target and backend.
struct CheckCommand: AsyncParsableCommand, SelectsBackends {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Judge targets, or all that a profile lists: TLS, trust, pins, and the model list in DNS.",
        discussion: """
            EXAMPLES
              probe check example.com
              probe check --backend openssl,gnutls --pin sha256/BASE64= https://api.example.com
              probe check --connect 127.0.0.1:8443 --ca ca.pem --at 2026-07-27T00:00:00Z example.com:443
              probe check example.com --model dc --model-host models.example.com --dns-server 127.0.0.1:5353
              probe check --profile app.yaml
              probe check --profile app.yaml --cache default
              probe check --format json example.com | jq .outcome
            """)

    @OptionGroup var check: CheckOptions
    @OptionGroup var cache: CacheOptions
    @OptionGroup var output: OutputOptions

    var selection: BackendSelection { check.backends.selection }

    mutating func run() async throws {
        let format = try output.chosen()
        let plan = try await check.plan().remembered(models: cache.lifetime())
        let transports = try check.backends.transports()
        let resolvers = try check.backends.resolvers(for: plan.checks.first?.model)
        let askers = try plan.models.map(check.backends.resolvers)
        let limit = try check.connection.limit()
        let prober = Prober(
            clock: try check.connection.clock(), reference: .withSystemSuffixes(),
            modelCache: try cache.store(clock: check.connection.at))
        var report = ResultPrinter(format: format)
        for check in plan.checks {
            report.add(await prober.probe(check, through: transports, resolvers: resolvers))
        }
        for (model, resolvers) in zip(plan.models, askers) {
            report.add(await prober.probe(model, subject: model.subject, through: resolvers, timeout: limit))
        }
        try report.finish()
    }
}
