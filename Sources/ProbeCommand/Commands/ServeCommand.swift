#if Serve
    import ArgumentParser
    import ProbeClients
    import ProbeKit
    import ProbeNet
    import ProbePlatform
    import ProbeRun
    import ProbeServe
    import ProbeStore
    import ProbeTrust

    /// `probe serve`: the exporter that Prometheus scrapes.
    struct ServeCommand: AsyncParsableCommand, SelectsBackends {
        static let configuration = CommandConfiguration(
            commandName: "serve",
            abstract: "Answer Prometheus as blackbox_exporter does, with every stack's verdict.",
            discussion: """
                The configuration is a blackbox.yml with http, tcp and dns modules; a module can also be a profile. A key that \
                asks for more than certificates and TXT records is refused with its line.

                It listens on loopback and dials public addresses only, until --web.listen-address and --allow-network say \
                otherwise. SIGHUP reads the configuration anew; SIGTERM and SIGINT end it after the probes that run, a \
                second one at once.

                EXAMPLES
                  probe serve --config.file blackbox.yml --config.check
                  probe serve --config.file blackbox.yml
                  probe serve --config.file blackbox.yml --allow-network 10.0.0.0/8
                  curl 'http://127.0.0.1:9115/probe?module=http_2xx&target=https://example.com'
                """)

        @Option(
            name: .customLong("config.file"),
            help: ArgumentHelp("The modules, as blackbox_exporter has them.", valueName: "file"), completion: .file())
        var file: String

        @Flag(name: .customLong("config.check"), help: "Read the configuration, and end.")
        var check = false

        @Option(
            name: .customLong("web.listen-address"),
            help: ArgumentHelp(
                "Listen here; repeat it. 127.0.0.1:9115 when not given; :9115 is every address of this machine.",
                valueName: "addr:port"))
        var listen: [Given<ListenAddress>] = []

        @Option(
            name: .customLong("web.config.file"),
            help: ArgumentHelp(
                "TLS, client certificates and passwords of the server itself, as Prometheus' exporters have them.",
                valueName: "file"), completion: .file())
        var web: String?

        @Option(
            help: ArgumentHelp(
                "The part of a scrape's timeout that is kept for the answer's way back; 0.5 when not given.",
                valueName: "seconds"), transform: OptionNumber.fraction(0...60, "seconds"))
        var timeoutOffset: Double = 0.5

        @Option(
            help: ArgumentHelp(
                "Dial the addresses of this block too, like 10.0.0.0/8; repeat it. Without it public addresses alone are dialled.",
                valueName: "block"))
        var allowNetwork: [Given<AddressBlock>] = []

        @Option(
            help: ArgumentHelp(
                "Probe only this target, or with '*.' before it all names below it; repeat it. Every one when not given.",
                valueName: "name"))
        var allowTarget: [String] = []

        @Option(
            help: ArgumentHelp(
                "Run at most this many probes at once; others wait. 64 when not given.", valueName: "number"),
            transform: OptionNumber.whole(1...4096, ""))
        var maxProbes: Int = 64

        @Option(
            name: .customLong("history.limit"),
            help: ArgumentHelp(
                "Keep this many logs of probes that pass, and as many of those that fail; 100 when not given.",
                valueName: "number"), transform: OptionNumber.whole(0...10_000, ""))
        var history: Int = 100

        @Option(
            help: ArgumentHelp(
                "Keep the last verdicts of the configuration's watch here over a restart; default is as for --cache.",
                valueName: "file|folder|default"), completion: .file())
        var store: String?

        @OptionGroup var backends: BackendOptions
        @OptionGroup var log: LogOptions

        var selection: BackendSelection { backends.selection }

        mutating func run() async throws {
            // Until the server takes it: one that comes earlier asks for no more than the reading that follows.
            if !check { _ = ProbePlatform.signal(SIGHUP, SIG_IGN) }
            let stacks: Stacks = try (
                backends.transports(), Backends.current.chosenResolvers(backends.resolverChoice)
            )
            let server = try ProbeServer(
                configuration: file, policies: Backends.current.policies, settings: try settings(stacks),
                backends: asked(stacks), isChecked: check)
            guard !check else { return Terminal.print("\(file) can be served") }
            // The second request to end does not wait for what was begun.
            let interruption = Interruption(of: [SIGINT, SIGTERM]) { _, count in
                if count > 1 { Departure.now(0) }
            }
            defer { withExtendedLifetime(interruption) {} }
            try await server.run(until: { _ = await interruption.signal }) { Terminal.print("listening on \($0)") }
        }

        private func addresses() throws(InputError) -> [ListenAddress] {
            guard !listen.isEmpty else { return [try ListenAddress("127.0.0.1:9115")] }
            let addresses = listen.map(\.value)
            for (index, address) in addresses.enumerated()
            where !address.hasAnyPort && addresses[..<index].contains(address) {
                throw InputError("--web.listen-address \(address) is given twice", remedy: "give it once")
            }
            return addresses
        }

        private func rules() throws(InputError) -> TargetRules {
            do throws(InputError) {
                return try TargetRules(blocks: allowNetwork.map(\.value), names: allowTarget)
            } catch {
                throw InputError("--allow-target \(error.message)", remedy: error.remedy)
            }
        }

        private func settings(_ stacks: Stacks) throws(InputError) -> ServeSettings {
            let (addresses, each) = (try addresses(), ServePlaces.each(stacks.transports, stacks.resolvers))
            let places = ServePlaces(
                probes: maxProbes, each: each, connections: ServeSettings.connections, addresses: addresses.count)
            if places.probes < maxProbes, !check {
                Terminal.printError(
                    "note: the limit of open files allows \(places.probes) probes at once, and not \(maxProbes)"
                        + "\n  fix: raise the limit with ulimit -n \(places.limit), or give --max-probes \(places.probes)"
                )
            }
            return ServeSettings(
                addresses: addresses, connections: places.connections, timeoutOffset: .seconds(timeoutOffset),
                rules: try rules(), concurrency: places.probes,
                history: history, version: ProbeVersion.current,
                web: try web.map(WebConfiguration.read) ?? .open, memory: try memory())
        }

        /// Returns what keeps the watch's verdicts; nil if nothing does.
        private func memory() throws(InputError) -> WatchMemory? {
            guard let store else { return nil }
            let file = try CacheOptions.store(store, as: "store")
            return WatchMemory {
                await file.documents()
            } keep: { name, content in
                await file.replaceDocument(content, named: name)
            } forget: { names in
                await file.removeDocuments(named: names)
            }
        }

        /// Returns what reads client certificates. Nobody is there to be asked for a passphrase.
        private static func identityReading(
            _ build: Backends
        ) -> ServeConfiguration.IdentityReading? {
            guard let reader = build.identities else { return nil }
            let tokens = build.tokens
            return { files throws(InputError) in try files.read(by: reader, tokens: tokens) { _ in nil } }
        }

        /// Returns the names of stacks, by which verdicts that were kept are known to be theirs. Stacks that read this machine's
        /// settings are others after each start, for the settings may be others.
        static func names(of stacks: [BackendIdentity], withSystemSettings isAsked: Bool) -> String {
            let names = stacks.map { "\($0.name) \($0.version)" } + (isAsked ? ["settings read at \(UUID())"] : [])
            return names.joined(separator: ", ")
        }

        /// The stacks that the options name. Names that are not in this build are refused before the first request.
        private typealias Stacks = (transports: [any Transport], resolvers: [any Resolver])

        private func asked(_ stacks: Stacks) -> ServeBackends {
            let (build, options) = (Backends.current, backends)
            let (transports, resolvers) = stacks
            let reference = ReferenceVerifier.withSystemSuffixes()
            let prober = Prober(reference: reference, lateness: OwnLateness.meter)
            let (senders, roots) = (ClientChecks.senders(among: transports), ClientRoots())
            let stacks = transports.map(\.identity) + resolvers.map(\.identity)
            return ServeBackends(
                stacks: Self.names(of: stacks, withSystemSettings: SystemSettings.areAsked), prober: prober,
                clients: { clock in
                    ClientRun(
                        prober: Prober(clock: clock, reference: reference, lateness: OwnLateness.meter),
                        reference: reference, transports: senders, clock: clock, policies: build.policies, roots: roots)
                }, readIdentity: Self.identityReading(build)
            ) { check throws(InputError) in
                let asked = try build.asCurrent { () throws(InputError) in
                    try options.asked(check.naming(KnownTakers.words))
                }
                return (asked.check, asked.transports, asked.resolvers)
            } model: { model throws(InputError) in
                let asked = try build.asCurrent { () throws(InputError) in try options.asked(model) }
                return (asked.check, asked.resolvers)
            }
        }
    }

    extension Backends {
        /// Returns the result of `body`, which these backends are the current ones of.
        fileprivate func asCurrent<Value>(_ body: () throws(InputError) -> Value) throws(InputError) -> Value {
            try Self.$current.withValue(self) { Result { () throws(InputError) in try body() } }.get()
        }
    }

    extension ListenAddress: OptionValue {
        static func option(_ text: String) throws(InputError) -> ListenAddress { try ListenAddress(text) }
    }

    extension AddressBlock: OptionValue {
        static func option(_ text: String) throws(InputError) -> AddressBlock { try AddressBlock(text) }
    }
#endif
