import ArgumentParser
import ProbeKit
import ProbePlatform
import ProbeRun

/// The targets of a scan, and its speed.
struct ScanOptions: ParsableArguments {
    @Argument(
        help: ArgumentHelp(
            "HOST[:PORT], a URL, ADDRESS,NAME, ADDRESS/LENGTH[:PORT], or ADDRESS/LENGTH[:PORT],NAME.",
            valueName: "target"))
    var targets: [String] = []

    @Option(
        help: ArgumentHelp(
            "Read targets from this file, one a line; - is standard input. A line may be a JSON object, too.",
            valueName: "file"))
    var list: String?

    @Option(
        help: ArgumentHelp(
            """
            How many targets are worked on at once; 32 for each processor when not given. One that has been waiting for a \
            quarter of a second makes room for another, and up to 24 times as many wait like that, but rarely more than 2000; with \
            several backends fewer.
            """, valueName: "number"))
    var concurrency: Int?

    @Option(
        help: ArgumentHelp(
            "The least time from one target to the next at one address; fractions allowed.", valueName: "seconds"))
    var spacing: Double = 0

    @Flag(help: "Probe every address of a name, and not the first that answers.")
    var allAddresses = false

    @Option(
        help: ArgumentHelp(
            "Do only this part of the targets: 1/4 to 4/4 are four parts that make the whole, on any machine.",
            valueName: "i/n"))
    var shard: String?

    @Option(
        help: ArgumentHelp(
            """
            Append to this file instead of writing to standard output, and leave out the targets it has already; a line \
            that was cut off at its end is written anew.
            """, valueName: "file"))
    var resume: String?

    @Flag(
        help: ArgumentHelp(
            "With --resume: do those again that were unreachable, failed the handshake or met this machine's overload.")
    )
    var retryFailed = false

    @Option(help: ArgumentHelp("json (one object a line): a scan prints nothing else.", valueName: "format"))
    var format: String = OutputFormat.json.rawValue

    func part() throws(InputError) -> Shard? {
        try shard.map { text throws(InputError) in try Shard(text) }
    }

    /// Returns the number of targets in progress at once, given or default.
    func width() throws(InputError) -> Int {
        guard let concurrency else { return 32 * ProcessInfo.processInfo.activeProcessorCount }
        guard (1...65_536).contains(concurrency) else {
            throw InputError("--concurrency \(concurrency) is out of range", remedy: "give 1 to 65536")
        }
        return concurrency
    }

    func limiter(_ sleeper: ScanSleeper) throws(InputError) -> RateLimiter? {
        guard (0...3600).contains(spacing) else {
            throw InputError("--spacing must be 0 to 3600 seconds", remedy: "\(spacing) was given")
        }
        return spacing == 0 ? nil : RateLimiter(spacing: .seconds(spacing), sleeper: sleeper)
    }
}

/// One of several equal parts of a list, by the targets' identifiers: the parts do not overlap, and cover the list.
struct Shard: Sendable, CustomStringConvertible {
    /// The part, from 1 on.
    let index: UInt64
    /// The number of parts.
    let count: UInt64

    /// Reads `i/n`.
    init(_ text: String) throws(InputError) {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let index = UInt64(parts[0]), let count = UInt64(parts[1]), count > 0,
            (1...count).contains(index)
        else {
            throw InputError(
                "--shard '\(text)' is not a part of a list", remedy: "write i/n, like 2/8, from 1/n to n/n")
        }
        self.index = index
        self.count = count
    }

    func contains(_ id: ScanID) -> Bool {
        UInt64(truncatingIfNeeded: id.value >> 64) % count == index - 1
    }

    var description: String { "\(index)/\(count)" }
}
