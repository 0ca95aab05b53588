import ArgumentParser
import ProbeKit
import ProbeNet
import ProbePlatform
import ProbeRun
import ProbeScan

/// The stacks that connect.
struct TransportOptions: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "TLS backend; repeat it, separate names by commas, or say all: all that can do what the options ask for.",
            valueName: "name"), completion: .transports)
    var backend: [String] = ["all"]

    @Flag(
        help: ArgumentHelp(
            "Let the libraries read this machine's settings: OPENSSL_CONF, GnuTLS' priority file, SSLKEYLOGFILE and others.",
            discussion: "Without it they see none: what is found depends on the options alone. The report names them."))
    var systemSettings = false

    @OptionGroup var plugins: PluginOptions
}

/// The libraries that ask DNS.
struct ResolverOption: ParsableArguments {
    @Option(
        name: .long,
        help: ArgumentHelp(
            "DNS backend; repeat it, separate names by commas, or say all: all that can ask the DNS servers given, as the options say.",
            valueName: "name"), completion: .resolvers)
    var resolver: [String] = ["all"]

    var choice: BackendChoice { BackendChoice(resolver) }
}

/// The selection of backends.
struct BackendOptions: ParsableArguments {
    @OptionGroup var connecting: TransportOptions
    @OptionGroup var asking: ResolverOption

    var plugins: PluginOptions { connecting.plugins }
    var systemSettings: Bool { connecting.systemSettings }

    var selection: BackendSelection {
        BackendSelection(plugins: plugins, transports: transportChoice, resolvers: resolverChoice)
    }

    var transportChoice: BackendChoice { BackendChoice(connecting.backend) }
    var resolverChoice: BackendChoice { asking.choice }

    func transports() throws(InputError) -> [any Transport] { try Backends.current.transports(named: transportChoice) }
    func resolvers() throws(InputError) -> [any Resolver] { try Backends.current.resolvers(named: resolverChoice) }

    /// Rejects a choice of resolvers where none has anything to be asked.
    func refuseIdleResolvers(for model: ModelCheck?) throws(InputError) {
        guard model == nil, !resolverChoice.isDefault else { return }
        throw InputError(
            "--resolver is given and --model is not", remedy: "say which model to look for with --model NAME")
    }

    /// Returns the validators of the chosen TLS backends that have one.
    func validators() throws(InputError) -> [any SignatureValidator] {
        guard !Backends.current.transports.isEmpty else { return [] }
        let choice = transportChoice
        return Backends.current.validators.filter { choice.includes($0.name) && $0.absence == nil }
    }

    /// Returns a check with the backends that are asked for it, which names those of `all` that are not.
    func asked(_ check: Check) throws(InputError) -> AskedCheck {
        let model = try check.model.map { model throws(InputError) in try asked(model) }
        let transports = try able(needing: check.optionalCapabilities, beside: model)
        let resolvers = if let model { model.resolvers } else { try Backends.current.chosenResolvers(resolverChoice) }
        let notes = transports.notes
        return AskedCheck(
            check: notes.reduce(check.asking(model?.check)) { $0.announcing($1) }, transports: transports.asked,
            resolvers: resolvers, notes: notes + (model?.notes ?? []))
    }

    /// Returns the transports for checks whose options need these capabilities.
    ///
    /// - Parameter model: the allow-list that is asked for beside it.
    func able(
        needing capabilities: Set<TransportCapability>, beside model: AskedModel? = nil
    ) throws(InputError) -> (asked: [any Transport], notes: [Finding]) {
        let transports = try Backends.current.transports(named: transportChoice, needing: capabilities)
        let names = transports.asked.map(\.name) + (model?.resolvers.map(\.name) ?? [])
        return (
            transports.asked,
            [transports.note("backends", stage: .tls), Self.settings(of: names, stage: .tls)].compactMap(\.self)
        )
    }

    /// Returns the settings that the libraries of these backends were let see, as a note; nil if they see none.
    private static func settings(of backends: [String], stage: Stage) -> Finding? {
        guard SystemSettings.areAsked else { return nil }
        // Programs have libraries of their own, which may be any.
        let own: Set = ["nio", "gnutls", "openssl", "curl", "doh", "ldns", "cares", "unbound"]
        let (names, hasPrograms) = (Set(backends), !own.isSuperset(of: backends))
        let files = [
            ("GNUTLS_SYSTEM_PRIORITY_FILE", "/etc/gnutls/config", names.contains("gnutls")),
            ("OPENSSL_CONF", "/etc/ssl/openssl.cnf", !names.isSubset(of: ["nio", "gnutls"])),
        ]
        // Anchors are the options' affair, whatever these say.
        let idle = Set(files.map(\.0)).union(["SSL_CERT_FILE", "SSL_CERT_DIR", "CURL_CA_BUNDLE"])
        let environment = ProcessInfo.processInfo.environment
        let read = files.filter { $0.2 || hasPrograms }.compactMap { name, usual, _ in
            environment[name].map { "\(name)=\($0)" }
                ?? (FileManager.default.fileExists(atPath: usual) ? usual : nil)
        }
        // BoringSSL writes no key log by itself, and two resolvers have no TLS of their own.
        let unread: Set = names.isSubset(of: ["nio", "ldns", "cares"]) ? idle.union(["SSLKEYLOGFILE"]) : idle
        // The values of the others may hold passwords, as those of proxies do, which no library here follows by itself.
        let variables = environment.keys.filter {
            SystemSettings.includes($0) && !unread.contains($0)
                && (hasPrograms || !$0.lowercased().hasSuffix("_proxy"))
        }.sorted()
        guard !(read + variables).isEmpty else { return nil }
        return .note(
            "system-settings", stage: stage,
            "the libraries read this machine's settings: " + (read + variables).joined(separator: ", "))
    }

    /// Returns the same for an allow-list alone.
    func asked(_ model: ModelCheck) throws(InputError) -> AskedModel {
        try Self.asked(model, resolvers: resolverChoice)
    }

    static func asked(_ model: ModelCheck, resolvers choice: BackendChoice) throws(InputError) -> AskedModel {
        let resolvers = try Backends.current.resolvers(named: choice, for: model)
        let note = resolvers.note("resolvers", stage: .dns)
        return AskedModel(
            check: note.map(model.announcing) ?? model, resolvers: resolvers.asked, notes: note.map { [$0] } ?? [])
    }
}

extension BackendOptions {
    /// Joins parts that a command has by themselves.
    init(_ connecting: TransportOptions, _ asking: ResolverOption) {
        self.init()
        self.connecting = connecting
        self.asking = asking
    }
}

/// A check, and the backends that are asked for it.
struct AskedCheck {
    let check: Check
    let transports: [any Transport]
    let resolvers: [any Resolver]
    /// The notes of the check that name the backends that are not asked.
    let notes: [Finding]
}

extension Prober {
    /// Probes the parts of a target, a few at a time, and returns their results in order.
    func probe(
        _ asked: AskedCheck, _ addresses: AddressChoice, retries: Int = 0
    ) async -> [(check: Check, results: [ProbeResult])] {
        await Concurrently.map(await addresses.checks(of: asked.check), atMost: AddressChoice.atOnce) { check in
            (
                check,
                await probe(check, through: asked.transports, resolvers: asked.resolvers, retries: retries)
            )
        }
    }
}

/// An allow-list alone, and the backends that are asked for it.
struct AskedModel {
    let check: ModelCheck
    let resolvers: [any Resolver]
    /// The notes of the check that name the backends that are not asked.
    let notes: [Finding]
}
