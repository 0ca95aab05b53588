import ArgumentParser
import ProbeKit
import ProbeNet
import ProbePacking
import ProbePins
import ProbePlatform
import ProbeRun
import ProbeScan
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
        if let list = scan.list { try SharedFile.refuse([list], writingTo: scan.resume, of: "--resume") }
        let plan = try plan()
        // All arguments are read before the first target is dialled: bad input sends nothing.
        let entries = try TargetSource.entries(
            of: scan.targets, startTLS: reach.startTLS?.value, readingIdentity: ClientIdentities.read)
        // A pipe can be opened only once, so it is not tried out.
        if let list = scan.list, list != "-", unsafe access(list, R_OK) != 0 {
            _ = try LineReader(list, maximumLine: 0)
        }
        let file = try scan.resume.map { path throws(InputError) in try ResumeFile(resuming: path) }
        let earlier = try await file?.earlier(retryingFailed: scan.retryFailed) ?? ResumeFile.Earlier()
        try refuse(earlier, under: plan.terms)
        try await execute(plan, entries, file, after: earlier)
    }

    /// Rejects the results of an earlier run under other terms.
    private func refuse(_ earlier: ResumeFile.Earlier, under terms: ScanTerms) throws(InputError) {
        guard let path = scan.resume else { return }
        guard
            !earlier.terms.contains(where: terms.hasStoresUnlike),
            !terms.hasStores || !earlier.termsIDs.contains(terms.idWithoutStores)
        else {
            throw InputError(
                "--resume \(path) does not say which of the stores of --roots had a root, as scans of an older version don't",
                remedy: "name another file after --resume")
        }
        guard !earlier.isMixed else {
            throw InputError(
                "--resume \(path) has results of different options, as if files of several scans were joined",
                remedy: "give the file of one of those scans after --resume, or another one")
        }
        for before in earlier.terms {
            let changes = terms.changes(since: before).map { $0.map { "--\($0)" }.joined(separator: " or ") }
            try Self.refuse(changes, in: path)
        }
        guard earlier.termsIDs.isSubset(of: [terms.id]) else {
            throw InputError(
                "--resume \(path) has results of other options, of a scan that was killed before it wrote which",
                remedy: "give the same options, or another file after --resume")
        }
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

    private func execute(
        _ plan: ScanPlan, _ entries: [ScanEntry], _ file: ResumeFile?, after earlier: ResumeFile.Earlier
    ) async throws {
        let (list, known) = (scan.list, reach.startTLS?.value)
        let (slots, output) = (plan.slots, file?.output() ?? LineOutput(STDOUT_FILENO))
        let run = ScanRun(probe(plan), to: output, slots: slots, shard: scan.shard?.value, tally: earlier.tally)
        let ending = Self.ending(of: run, plan, to: output)
        if let header = plan.format.header { await output.write([header]) }
        let interruption = Interruption { ending.interrupt($0, $1) }

        let showsProgress = file != nil || isatty(STDOUT_FILENO) == 0
        await run.run(
            { () throws(InputError) in
                try TargetSource(
                    entries: entries, file: list, startTLS: known, readingIdentity: ClientIdentities.read)
            }, without: earlier.targets
        ) { progress in
            if showsProgress { Terminal.showProgress(progress.text()) }
        }
        if showsProgress { Terminal.showProgress("") }
        await ending.write()
        noteSurplus(of: run)
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

    /// Reports results that the manifest counts and the list does not account for.
    private func noteSurplus(of run: ScanRun) {
        guard let path = scan.resume, run.surplus > 0 else { return }
        let targets = run.surplus == 1 ? "1 target" : "\(run.surplus) targets"
        Terminal.printError(
            "note: \(PrintableText.escape(path)) has results of \(targets) that the list does not name, or not as often, "
                + "and counts them")
    }

    private func probe(_ plan: ScanPlan) -> ScanProbe {
        let slots = plan.slots
        return ScanProbe(
            prober: Prober(
                clock: connection.clock, reference: .withSystemSuffixes(), limiter: plan.limiter,
                modelCache: MemoryCache(), lateness: OwnLateness.meter),
            transports: plan.transports, resolvers: plan.resolvers, addresses: plan.addresses, limiter: plan.limiter,
            retries: retries.retry, terms: plan.terms.id, format: plan.format, isClosed: { slots.isClosed },
            check: { [template = plan.template] in template.check(of: $0, within: $1) })
    }

    private static func ending(of run: ScanRun, _ plan: ScanPlan, to output: LineOutput) -> ScanEnding {
        let began = RFC3339.format(ProbeClock.system.now)
        return ScanEnding(sealing: run.seal, plan.slots, to: output, writesManifest: plan.format == .json) {
            [terms = plan.terms] result in
            ScanManifest(
                terms, counts: result.tally, isComplete: result.isComplete, version: ProbeVersion.current, began: began,
                ended: RFC3339.format(ProbeClock.system.now)
            ).json
        }
    }
}
