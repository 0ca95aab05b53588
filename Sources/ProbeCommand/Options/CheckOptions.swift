import ArgumentParser
import ProbeKit

/// Everything that says what to check of which targets, shared by `check` and `compare`.
struct CheckOptions: ParsableArguments {
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

    /// Words that are kept for commands: a script that uses one must not probe a host by that name instead.
    private static let reserved: Set<String> = ["scan", "watch", "bench", "profile"]

    /// The checks of all targets. All are read before the first one is dialled: bad input sends nothing.
    func checks() throws(InputError) -> [Check] {
        guard !targets.isEmpty else {
            throw InputError("no target was given", remedy: "write probe HOST[:PORT], or see probe --help")
        }
        if let word = targets.first(where: Self.reserved.contains) {
            throw InputError(
                "'\(word)' is no command of this build", remedy: "write tls://\(word) if you mean a host of that name")
        }
        let pins = try policy.pins()
        let model = try modelCheck()
        let (trust, minimumTLS, alpn) = (try policy.trustMode(), try policy.minimumTLS(), try policy.protocols())
        let limit = try connection.limit()
        var read: [Target] = []
        for text in targets { read.append(try connection.target(text)) }
        let certificates = try policy.certificates()
        var demands: [[any Policy]] = []
        for target in read { demands.append(try policy.demands(target)) }
        let anchors = try connection.anchors()
        return zip(read, demands).map { target, demands in
            Check(
                target: target, anchors: anchors, trust: trust, pins: pins, certificates: certificates,
                minimumTLS: minimumTLS, alpn: alpn, demands: demands, model: model, timeout: limit)
        }
    }

    private func modelCheck() throws(InputError) -> ModelCheck? {
        guard dns.model != nil || !modelHost.isEmpty else {
            guard !dns.isGiven else {
                throw InputError(
                    "DNS options are given and --model is not", remedy: "say which model to look for with --model NAME")
            }
            return nil
        }
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
