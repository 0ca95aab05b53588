import ArgumentParser
import ProbeKit

/// `probe check`, also `probe` alone: a verdict for each target and backend.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Judge targets: TLS, trust, pins, and the model list in DNS.",
        discussion: """
            EXAMPLES
              probe check example.com
              probe check --backend openssl,gnutls --pin sha256/BASE64= https://api.example.com
              probe check --connect 127.0.0.1:8443 --ca ca.pem --at 2026-07-27T00:00:00Z example.com:443
              probe check example.com --model dc --model-host models.example.com --dns-server 127.0.0.1:5353
              probe check --format json example.com | jq .outcome
            """)

    @Argument(
        help: ArgumentHelp("HOST, HOST:PORT, [IPv6]:PORT or an https://, wss:// or tls:// URL.", valueName: "target"))
    var targets: [String] = []

    @OptionGroup var backends: BackendOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var policy: PolicyOptions

    @Option(
        help: ArgumentHelp(
            "A name that publishes the model list; repeat it for alternates, in order.", valueName: "name"))
    var modelHost: [String] = []

    @OptionGroup var dns: DNSOptions
    @OptionGroup var output: OutputOptions

    mutating func run() async throws {
        guard !targets.isEmpty else {
            throw InputError("no target was given", remedy: "write probe HOST[:PORT], or see probe --help")
        }
        let format = try output.format()
        let transports = try backends.transports()
        let resolvers = try backends.resolvers()
        let prober = Prober(clock: try connection.clock())
        // All targets are read before the first one is dialled: bad input sends nothing.
        let checks = try checks()
        var report = ResultPrinter(format: format)
        for check in checks {
            report.add(await prober.probe(check, through: transports, resolvers: resolvers))
        }
        try report.finish()
    }

    private func checks() throws(InputError) -> [Check] {
        let anchors = try connection.anchors()
        let pins = try policy.pins()
        let model = try modelCheck()
        var checks: [Check] = []
        for text in targets {
            checks.append(
                Check(
                    target: try connection.target(text), anchors: anchors, trust: try policy.trustMode(), pins: pins,
                    minimumTLS: try policy.minimumTLS(), alpn: try policy.protocols(), model: model,
                    timeout: try connection.limit()))
        }
        return checks
    }

    private func modelCheck() throws(InputError) -> ModelCheck? {
        guard dns.model != nil || !modelHost.isEmpty else { return nil }
        guard dns.model != nil else {
            throw InputError(
                "--model-host is given and --model is not", remedy: "say which model to look for with --model NAME")
        }
        guard !modelHost.isEmpty else {
            throw InputError(
                "--model is given and --model-host is not", remedy: "say who publishes the list with --model-host NAME")
        }
        return try dns.check(hosts: modelHost, option: "--model-host")
    }
}
