import ArgumentParser
import ProbeKit
import ProbeNet
import ProbePins
import ProbePlatform
import ProbeRun
import ProbeTrust

/// `probe scan`: probes many targets, a few at a time, and reports each as soon as its result is known.
struct ScanCommand: AsyncParsableCommand, SelectsBackends {
    static let configuration = CommandConfiguration(
        commandName: "scan",
        abstract: "Judge long lists of targets, as JSON lines.",
        discussion: """
            A list has one target a line: HOST, HOST:PORT, a URL, ADDRESS,NAME (dial the address, ask for the name), \
            ADDRESS/LENGTH[:PORT] (every address of the range, for IPv6 /96 or longer), with ,NAME or without, or a JSON object \
            {"target":"HOST:PORT","connect":"ADDR:PORT","name":NAME,"service":LABEL,"pins":[PIN…],"timeout":SECONDS,\
            "clientCert":FILE,"clientKey":FILE,"clientPassphrase":FILE}, of which all but target may be left out. Blank lines and those that begin with # name nothing. A line that can't be read is \
            answered in its place, with the outcome usage-error.

            Each result is a line as of 'probe check --format json', with a key 'scan' that says which target it is of. Lines \
            come in the order in which targets end; those of one target stand together. The last line is a manifest: versions, \
            the anchors' hash, options and counts. SIGINT, SIGTERM or SIGHUP ends the \
            scan within two seconds, a second one at once.

            EXAMPLES
              probe scan --list hosts.txt > results.jsonl
              probe scan 192.0.2.0/24:8443,api.example.com --ca ca.pem
              probe scan --list hosts.txt --resume results.jsonl     begins, and goes on after an end of any kind
              probe scan --list hosts.txt --resume results.jsonl.zst
              probe scan --list hosts.txt --resume results.sqlite    for questions in SQL
              probe scan --list hosts.txt --shard 2/8 --all-addresses --spacing 0.5
              cut -d, -f2 top.csv | probe scan --list - | jq -r 'select(.target and .outcome != "pass") | .target'
            """)

    @OptionGroup var scan: ScanOptions
    @OptionGroup var backends: BackendOptions
    @OptionGroup var connection: ConnectionOptions
    @OptionGroup var revocation: RevocationOptions
    @OptionGroup var reach: ReachOptions
    @OptionGroup var retries: RetryOptions
    @OptionGroup var policy: PolicyOptions

    @Option(
        help: ArgumentHelp(
            "A name that publishes the allow-list; repeat it for alternates, in order.", valueName: "name"))
    var modelHost: [String] = []

    @OptionGroup var dns: DNSOptions
    @OptionGroup var log: LogOptions

    var selection: BackendSelection { backends.selection }

    mutating func run() async throws {
        guard !scan.targets.isEmpty || scan.list != nil else {
            throw InputError("no target was given", remedy: "write probe scan TARGET…, or --list FILE")
        }
        guard !scan.retryFailed || scan.resume != nil else {
            throw InputError(
                "--retry-failed is of no use without --resume",
                remedy: "name the output of the earlier scan with --resume")
        }
        let addresses = try reach.addresses.choice(connection, dns, resolvers: backends.resolver)
        let format = try OutputFormat(named: scan.format, among: [.json, .csv])
        guard format == .json || scan.resume == nil else {
            throw InputError(
                "--format csv and --resume are given, and a scan goes on from JSON alone",
                remedy: "leave one of the two out")
        }
        guard
            policy.pinChain == nil || !policy.pin.isEmpty || !policy.expectCertificate.isEmpty || scan.list != nil
                || scan.targets.contains(where: { $0.hasPrefix("{") })
        else {
            throw InputError(
                "--pin-chain is of no use without --pin or --expect-certificate", remedy: "say what to look for in it")
        }
        try ReachOptions.refuse(policy.serverDateMode, of: reach.startTLS?.value)
        var template = try CheckTemplate(
            connection, revocation, reach, policy,
            model: try dns.modelCheck(hosts: modelHost, isFollowing: reach.addresses.follow))
        let model = try template.model.map { model throws(InputError) in try backends.asked(model) }
        let (transports, notes) = try backends.able(needing: template.optionalCapabilities, beside: model)
        let resolvers = model?.resolvers ?? []
        (template.model, template.notes) = (model?.check, notes)
        if !format.showsNotes {
            var leftOut = RunNotes()
            leftOut.report(notes + (model?.notes ?? []))
        }
        let shard = scan.shard?.value
        let (width, waiting) = try places(transports: transports.count)
        let slots = ScanSlots(
            width: width, waitingLimit: waiting, startingWith: 2 * ProcessInfo.processInfo.activeProcessorCount)
        let limiter = scan.limiter(ScanSleeper { slots.isClosed })
        let manifest = try manifestOptions(template, concurrency: width)
        let (arguments, list, known) = (scan.targets, scan.list, reach.startTLS?.value)
        // All arguments are read before the first target is dialled: bad input sends nothing.
        _ = try TargetSource(arguments: arguments, file: nil, startTLS: known)
        // A pipe can be opened only once, so it is not tried out.
        if let list, list != "-", unsafe access(list, R_OK) != 0 { _ = try LineReader(list, maximumLine: 0) }

        let file = try scan.resume.map { path throws(InputError) in try ResumeFile(path) }
        let (done, tally, earlier, earlierID) =
            try await file?.done(retryingFailed: scan.retryFailed) ?? (DoneTargets([]), ScanTally(), nil, nil)
        let terms = ScanTerms(
            transports: transports, resolvers: resolvers, anchors: template.anchors, options: manifest)
        if let path = scan.resume {
            if let earlier { try Self.refuse(terms.changes(since: earlier), in: path) }
            guard earlierID == nil || earlierID == terms.id else {
                throw InputError(
                    "--resume \(path) has results of other options, of a scan that was killed before it wrote which",
                    remedy: "give the same options, or another file after --resume")
            }
        }
        let probe = ScanProbe(
            prober: Prober(
                clock: connection.clock, reference: .withSystemSuffixes(), limiter: limiter,
                modelCache: MemoryCache(), lateness: OwnLateness.meter),
            transports: transports, resolvers: resolvers, lookup: addresses.lookup, limiter: limiter,
            isClosed: { slots.isClosed }, allAddresses: addresses.isEach, family: addresses.family,
            records: addresses.records,
            retries: retries.retry, terms: terms.id, format: format,
            check: { [template] in template.check(of: $0, dialling: $1, within: $2) })
        let output = file?.output() ?? LineOutput(STDOUT_FILENO)
        let run = ScanRun(probe, to: output, slots: slots, shard: shard, tally: tally)
        let began = ProbeClock.system.now
        if format == .csv { await output.write([ScanCSV.header]) }
        let ending = ScanEnding(sealing: run.seal, slots, to: output, writesManifest: format == .json) {
            [anchors = ScanManifest.Anchors(template.anchors)] result in
            JSONText.line(
                ScanManifest(
                    began: RFC3339.format(began), ended: RFC3339.format(ProbeClock.system.now),
                    isComplete: result.isComplete, transports: transports.map(\.identity),
                    resolvers: resolvers.map(\.identity), anchors: anchors, options: manifest, counts: result.tally))
        }
        let interruption = Interruption { ending.interrupt($0, $1) }

        let ticks = Task { await Self.tick(run, slots, showsProgress: file != nil || isatty(STDOUT_FILENO) == 0) }
        await run.run(
            { () throws(InputError) in try TargetSource(arguments: arguments, file: list, startTLS: known) },
            without: done)
        ticks.cancel()
        await ticks.value
        await ending.write()
        withExtendedLifetime(interruption) {}
        if let failure = run.failure { throw failure }
        // Unprobed targets have no verdict.
        if let signal = ending.signal { throw ExitCode(128 + signal) }
        guard !run.tally.isEmpty else {
            throw InputError(
                "\(list ?? "the list") names no target", remedy: "give a list with at least one", source: .file)
        }
        let code = run.tally.exitCode
        if code != 0 { throw ExitCode(code) }
    }

    /// Refuses options that the file's verdicts do not depend on: its manifest speaks for all of them.
    private static func refuse(_ changes: [String], in path: String) throws(InputError) {
        guard changes.isEmpty else {
            throw InputError(
                "--resume \(path) was last written with another \(changes.joined(separator: ", "))",
                remedy: "give the same options, or another file after --resume"
                    + (changes.contains { $0.hasPrefix("--backend") || $0.hasPrefix("--resolver") }
                        ? "; --backend all asks those whose library is on this machine" : ""))
        }
    }

    /// Lets waiting targets make room, and shows the progress of the scan, until it is cancelled.
    private static func tick(_ run: ScanRun, _ slots: ScanSlots, showsProgress: Bool) async {
        let before = run.tally.ended
        while !Task.isCancelled {
            slots.adapt(to: ProcessLateness.shared.current)
            if showsProgress {
                var progress = run.progress()
                progress.endedBefore = before
                Terminal.showProgress(progress.text())
            }
            try? await Task.sleep(for: .milliseconds(100))
        }
        if showsProgress { Terminal.showProgress("") }
    }

    /// The number of targets that may wait for silent peers, as a multiple of those in progress: enough that a tenth of
    /// silent ones at the usual deadline does not slow the others down. Each waiting handshake takes about 100 KiB, so
    /// several backends share them.
    private static let waitingForEach = 24

    /// Returns the number of targets in progress at once, and the number of others that may wait for silent peers.
    private func places(transports: Int) throws(InputError) -> (width: Int, waiting: Int) {
        let width = scan.width
        // Happy eyeballs may have two connections to one target.
        let each = 2 * transports * (reach.addresses.allAddresses ? AddressChoice.atOnce : 1)
        // A name that waits for other lookups would lose its time to them.
        let waiting = min(max(1, Self.waitingForEach / transports) * width, max(width, HostLookup.mostAtOnce - width))
        let room = DescriptorLimit.raise(forConnections: (width + waiting) * each) / each
        guard room >= width || scan.concurrency == nil else {
            throw InputError(
                "--concurrency \(width) needs \(width * each) connections, and the process may have \(room * each)",
                remedy: "raise the limit with ulimit -n, or give at most \(max(room, 1))")
        }
        return (max(1, min(width, room)), max(0, min(waiting, room - width)))
    }

    private func manifestOptions(_ template: CheckTemplate, concurrency: Int) throws(InputError) -> ScanManifest.Options
    {
        ScanManifest.Options(
            at: connection.at?.text, timeout: connection.limit.inSeconds, connect: connection.connect?.text,
            startTLS: reach.startTLS?.text, proxy: reach.proxy.proxy?.text,
            pins: policy.pin.map(\.text),
            pinChain: policy.chain.rawValue, certificates: policy.expectCertificate, policies: policy.policy,
            emulate: policy.emulate?.text, trust: policy.trustMode.rawValue,
            minTLS: policy.minimumTLS.number, alpn: policy.protocols,
            serverDate: policy.serverDateMode.rawValue, expiresWithin: policy.expiresWithin?.text,
            model: dns.model?.text, modelHosts: modelHost,
            dnsServers: template.model?.serverTexts ?? dns.dnsServer,
            dnssec: (dns.dnssec?.value ?? .off).rawValue, allAddresses: reach.addresses.allAddresses,
            family: reach.addresses.family?.text, follow: reach.addresses.follow ? true : nil, concurrency: concurrency,
            spacing: scan.spacing, shard: scan.shard?.text,
            certificateDigests: template.certificates.isEmpty
                ? nil : template.certificates.flatMap(\.certificates).map(PinDigest.sha256),
            certificatePlaces: template.certificates.isEmpty
                ? nil : template.certificates.map { "\($0.position):\($0.certificates.count)" },
            clientCertificate: template.clientIdentity?.chain.first.map(PinDigest.sha256),
            proxyAnchors: reach.proxy.proxyCA == nil ? nil : try reach.proxy.anchors().storeDigest,
            dnsConnect: dns.dnsConnect?.text, dnsAnchors: dns.dnsCa == nil ? nil : try dns.serverAnchors().storeDigest,
            dnsPins: dns.dnsPin.isEmpty ? nil : dns.dnsPin.map(\.text),
            dnssecAnchors: dns.dnssecAnchor.isEmpty ? nil : try dns.givenAnchors().map(\.description),
            ednsSize: dns.ednsSize?.text, systemSettings: backends.systemSettings ? true : nil,
            txtStrings: dns.txtStrings?.text)
    }
}
