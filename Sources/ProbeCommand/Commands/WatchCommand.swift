import ArgumentParser
import ProbeKit
import ProbePlatform
import ProbeRun
import ProbeScan

/// `probe watch`: the periodic check, which reports changes.
struct WatchCommand: AsyncParsableCommand, SelectsBackends {
    static let configuration = CommandConfiguration(
        commandName: "watch",
        abstract: "Check periodically, and report what changes.",
        discussion: """
            Servers that do not answer are tried again within the round, later each time; what fails otherwise is reported and \
            looked at in the next round. A model that is not listed ends the watch of its subject. SIGINT, SIGTERM or \
            SIGHUP ends the watch after what was begun, a second one at once; the exit code is that of the last outcomes. \
            Under nohup SIGHUP is ignored.

            With --cache a watch that is started anew reports what changed since its last connections that passed: certificates, \
            keys and the pins that match. Verdicts are not kept: the first of each subject is reported at each start. A listed \
            model is not asked for again within its time. For ten minutes after a connection passed, one with the same \
            certificates that is to pass the same check is judged without asking for the server's time and without the \
            library's own pin check.

            With --all-addresses the addresses of names are those at its beginning. With --family, --follow or --dane names \
            and records are looked up for each visit.

            A change is printed when the command of --exec has ended, so that an output that can't be written keeps it from \
            nobody.

            EXAMPLES
              probe watch --pin sha256/BASE64= api.example.com
              probe watch --profile app.yaml --every 300 --format json
              probe watch --profile app.yaml --exec 'mail -s "$PROBE_SUBJECT: $PROBE_OUTCOME" ops@example.com'
              probe watch --rounds 3 --every 10 --until-first-failure example.com
            """)

    @OptionGroup var check: CheckOptions

    @Option(
        help: ArgumentHelp(
            "From the beginning of a round to that of the next; 600 when not given.", valueName: "seconds"),
        transform: OptionNumber.fraction(0.1...604_800, "seconds"))
    var every: Double = 600

    @Option(
        help: ArgumentHelp("By how much a round may be earlier or later; 10 when not given.", valueName: "percent"),
        transform: OptionNumber.fraction(0...100, "percent"))
    var jitter: Double = 10

    @Option(
        help: ArgumentHelp("How many rounds; without it, until a signal.", valueName: "number"),
        transform: OptionNumber.whole(1...Int.max, ""))
    var rounds: Int?

    @Option(
        help: ArgumentHelp(
            "The wait after the first time a server does not answer; 5 when not given.", valueName: "seconds"),
        transform: OptionNumber.fraction(0.1...86_400, "seconds"))
    var backoff: Double = 5

    @Option(
        help: ArgumentHelp(
            "Report certificates and pins that expire within this time; 21 when not given.", valueName: "days"),
        transform: OptionNumber.whole(0...3650, "days"))
    var warnDays: Int = 21

    @Option(
        help: ArgumentHelp(
            """
            Run this shell command on each change, once for a server however many backends see it: the changes are on its \
            standard input, a JSON object a line, and in PROBE_KIND, PROBE_SUBJECT, PROBE_OUTCOME, PROBE_FROM, PROBE_CODE, \
            PROBE_SERVICE, PROBE_TRANSPORT, PROBE_RESOLVER and PROBE_TIME, several values separated by commas.
            """, valueName: "command"))
    var exec: String?

    @Option(
        help: ArgumentHelp(
            "Kill the command of --exec, with all processes of its group, after this time; 30 when not given.",
            valueName: "seconds"), transform: OptionNumber.fraction(0.1...3600, "seconds"))
    var execTimeout: Double?

    @Flag(help: "End when a subject does not pass, once each has been probed.")
    var untilFirstFailure = false

    @OptionGroup var cache: CacheOptions

    @Option(
        help: ArgumentHelp(
            "For how long a connection that passed is remembered; ten minutes when not given.", valueName: "seconds"),
        transform: OptionNumber.whole(0...CacheLifetime.longest.seconds, "seconds"))
    var connectionLifetime: Int?

    @OptionGroup var output: PlainOutputOptions

    var selection: BackendSelection { check.backends.selection }

    mutating func run() async throws {
        let format = try output.chosen()
        let limit = try hookLimit()
        guard cache.cacheLifetime == nil || check.dns.model != nil || check.profile.profile != nil else {
            throw InputError(
                "--cache-lifetime is about models, and --model is not given",
                remedy: "say how long connections are remembered with --connection-lifetime")
        }
        let store = try cache.store(clock: check.connection.at)
        let watch = Watch(
            try await watched(), settings: settings, clock: check.connection.runningClock,
            reference: .withSystemSuffixes(),
            baselines: store ?? MemoryBaselines(), modelCache: store, pinCache: store,
            lateness: OwnLateness.meter)
        let lines = LineOutput(STDOUT_FILENO)
        let outcomes = WatchOutcomes(of: watch.subjects.count)
        let follower = WatchFollower(
            format: format, output: lines, hook: exec.map { Hook(command: $0, limit: limit) },
            untilFailure: untilFirstFailure, outcomes: outcomes)
        // The second request to end does not wait for what was begun.
        let interruption = Interruption { signal, count in
            if count > 1 { lines.end(outcomes.exitCode(after: signal)) }
        }
        defer { withExtendedLifetime(interruption) {} }
        let following = Task { await follower.follow(watch) }
        let ending = Task {
            let signal = await interruption.signal
            following.cancel()
            return signal
        }
        // The last changes are still printed then, unless the reader has stopped reading.
        let stalling = Task {
            if let signal = await ending.value { await lines.endWhenStalled(outcomes.exitCode(after: signal)) }
        }
        await following.value
        ending.cancel()
        stalling.cancel()
        let code = outcomes.exitCode(after: await ending.value)
        if code != 0 { throw ExitCode(code) }
    }

    private func watched() async throws -> [WatchedCheck] {
        let plan = try await check.plan().remembered(
            models: cache.lifetime(),
            connections: cache.lifetime(connectionLifetime, option: "--connection-lifetime"))
        let addresses = try check.addresses()
        var parts: [(part: Check, whole: Check)] = []
        for check in plan.checks { parts += await addresses.watched(of: check).map { ($0, check) } }
        let checks = try parts.map { try check.backends.asked($0.part) }
        let models = try plan.models.map(check.backends.asked)
        let limit = check.connection.limit
        // A watch reports only changes, so backends that are left out are mentioned once.
        var told: Set<Finding> = []
        for note in (checks.flatMap(\.notes) + models.flatMap(\.notes)) where told.insert(note).inserted {
            Terminal.printError("probe: \(note.message)")
        }
        let backends = check.backends
        let targets = zip(parts, checks).map { found, asked in
            var locate: (@Sendable () async -> Check)?
            if addresses.isFoundAnew || found.part.isAbsent {
                let (part, whole) = found
                locate = {
                    let now = await addresses.part(part, of: whole)
                    return (try? backends.asked(now).check) ?? now
                }
            }
            return WatchedCheck(
                asked.check, through: asked.transports, resolvers: asked.resolvers, locating: locate)
        }
        return targets
            + models.map { WatchedCheck($0.check, through: $0.resolvers, timeout: limit) }
    }

    private func hookLimit() throws(InputError) -> Duration {
        guard exec?.allSatisfy(\.isWhitespace) != true else {
            throw InputError("--exec is empty", remedy: "name a command, or leave it out")
        }
        guard let execTimeout else { return .seconds(30) }
        guard exec != nil else {
            throw InputError("--exec-timeout is of no use without --exec", remedy: "say what to run with --exec")
        }
        return .seconds(execTimeout)
    }

    private var settings: WatchSettings {
        WatchSettings(
            period: .seconds(every), jitter: jitter / 100, backoff: .seconds(backoff), rounds: rounds,
            warnBefore: .seconds(warnDays * 86_400))
    }
}
