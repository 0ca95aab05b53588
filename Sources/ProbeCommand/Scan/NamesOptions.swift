import ArgumentParser
import ProbeKit
import ProbePlatform
import ProbeRun
import ProbeScan

/// A list of names, and the speed at which they are asked about.
struct NamesOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            """
            Ask about each name of this file, one a line, packed by gzip or zstd or not; - is standard input. Results are JSON \
            lines with a manifest, as those of probe scan.
            """, valueName: "file"), completion: .file())
    var list: String?

    @Option(
        help: ArgumentHelp(
            "With --list: how many names are under way at once; 256 when not given.", valueName: "number"),
        transform: OptionNumber.whole(1...65_536, ""))
    var concurrency: Int?

    /// Asks about the names of a list, and ends with the exit code of the outcome that decides.
    ///
    /// - Parameters:
    ///   - path: the list.
    ///   - names: those of the arguments, which come first.
    func run(
        _ path: String, names: [DNSName], asking model: AskedModel, at instant: Given<Date>?, clock: ProbeClock,
        timeout: Duration
    ) async throws {
        try SharedFile.refuse([path], writingTo: nil)
        let source = try NameSource(arguments: names, file: path)
        let width = concurrency ?? 4 * NamesRun.batchSize
        // As many batches as it takes, of one size, and no more names together.
        let batches = (width + NamesRun.batchSize - 1) / NamesRun.batchSize
        let slots = ScanSlots(width: batches, waitingLimit: 0)
        let output = LineOutput(STDOUT_FILENO)
        let run = NamesRun(
            Prober(clock: clock, lateness: OwnLateness.meter), model.check, through: model.resolvers,
            timeout: timeout, to: output, slots: slots, batchSize: width / batches)
        let began = RFC3339.format(ProbeClock.system.now)
        let options = NamesManifest.Options(model.check, at: instant?.text, timeout: timeout, concurrency: width)
        let ending = ScanEnding(sealing: run.seal, slots, to: output) { [resolvers = model.resolvers] result in
            NamesManifest(
                result, resolvers: resolvers.map(\.identity), options: options, version: ProbeVersion.current,
                began: began, ended: RFC3339.format(ProbeClock.system.now)
            ).json
        }
        let interruption = Interruption { ending.interrupt($0, $1) }
        var failure: InputError?
        do throws(InputError) {
            try await run.run(source)
        } catch {
            failure = error
        }
        await ending.write()
        withExtendedLifetime(interruption) {}
        if let failure { throw failure }
        // Names that nobody was asked about have no verdict.
        if let signal = ending.signal { throw ExitCode(128 + signal) }
        guard !run.tally.isEmpty else {
            throw InputError("\(path) names nothing", remedy: "give a list with at least one name", source: .file)
        }
        let code = run.tally.exitCode
        if code != 0 { throw ExitCode(code) }
    }
}
