import ArgumentParser
import ProbeKit
import ProbePlatform
import ProbeRun
import ProbeScan

/// The targets of a scan, and its speed.
struct ScanOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "HOST[:PORT], a URL, ADDRESS,NAME, ADDRESS/LENGTH[:PORT], or ADDRESS/LENGTH[:PORT],NAME.",
            valueName: "target"))
    var targets: [String] = []

    @Option(
        help: ArgumentHelp(
            """
            Read targets from this file, one a line, packed by gzip or zstd or not; - is standard input. A line may be a JSON \
            object, too.
            """, valueName: "file"), completion: .file())
    var list: String?

    @Option(
        help: ArgumentHelp(
            """
            How many targets are worked on at once; 32 for each processor when not given. One that has been waiting for a \
            quarter of a second makes room for another, and up to 24 times as many wait like that, but rarely more than 2000; with \
            several backends fewer.
            """, valueName: "number"), transform: OptionNumber.whole(1...65_536, ""))
    var concurrency: Int?

    @Option(
        help: ArgumentHelp(
            "The least time from one target to the next at one address; fractions allowed, 0 when not given.",
            valueName: "seconds"),
        transform: OptionNumber.fraction(0...3600, "seconds"))
    var spacing: Double = 0

    @Option(
        help: ArgumentHelp(
            "Do only this part of the targets: 1/4 to 4/4 are four parts that make the whole, on any machine.",
            valueName: "i/n"))
    var shard: Given<Shard>?

    @Option(
        help: ArgumentHelp(
            """
            Append to this file instead of writing to standard output, and leave out the targets it has already; a line \
            that was cut off at its end is written anew. A file whose name ends with .zst is packed by Zstandard; one whose name \
            ends with .sqlite is a database.
            """, valueName: "file"), completion: .file())
    var resume: String?

    @Flag(
        help: ArgumentHelp(
            """
            With --resume: do those again that were unreachable, failed the handshake, had no answer from DNS, or met this \
            machine's overload or an internal error.
            """))
    var retryFailed = false

    static let formats: [OutputFormat] = [.json, .csv]

    @Option(
        help: ArgumentHelp("json (one object a line), or csv, which has no manifest.", valueName: "format"),
        completion: .list(Self.formats.map(\.rawValue)))
    var format: String = OutputFormat.json.rawValue

    /// Returns the number of targets in progress at once, given or default.
    var width: Int { concurrency ?? 32 * ProcessInfo.processInfo.activeProcessorCount }

    func limiter(_ sleeper: ScanSleeper) -> RateLimiter? {
        spacing == 0 ? nil : RateLimiter(spacing: .seconds(spacing), sleeper: sleeper)
    }
}

extension Shard: OptionValue {
    static func option(_ text: String) throws(InputError) -> Shard { try Shard(text) }
}
