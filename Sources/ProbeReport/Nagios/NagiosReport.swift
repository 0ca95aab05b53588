import ProbeKit
import ProbePlatform
public import ProbeRun

/// Results as a Nagios or Icinga plugin prints them: the state and why on one line with the measured values, what fails below.
public struct NagiosReport: Sendable {
    /// The states of a service, by the exit codes of the plugin.
    public enum State: Int32, Hashable, Sendable {
        /// It passes.
        case ok = 0
        /// It passes with warnings.
        case warning = 1
        /// It fails.
        case critical = 2
        /// Nothing is known of the server.
        case unknown = 3

        /// The state of an outcome. What says nothing about the server is unknown.
        init(_ outcome: Outcome) {
            self =
                switch outcome {
                case .pass: .ok
                case .passWithWarnings: .warning
                case .dnsIndeterminate, .unsupported, .localOverload, .internalError: .unknown
                default: .critical
                }
        }

        /// The state of a verdict. A server that does not answer is an alarm, whatever else is not known.
        init(_ verdict: Verdict) {
            let isSilent = verdict.findings.contains { $0.outcome == .unreachable || $0.outcome == .handshakeFailed }
            self = isSilent ? .critical : State(verdict.outcome)
        }

        var word: String {
            switch self {
            case .ok: "OK"
            case .warning: "WARNING"
            case .critical: "CRITICAL"
            case .unknown: "UNKNOWN"
            }
        }

        /// The order in which several become one: an alarm is not hidden by what is unknown.
        private var rank: Int { [State.ok, .warning, .unknown, .critical].firstIndex(of: self) ?? 0 }

        static func worst(_ states: [State]) -> State { states.max { $0.rank < $1.rank } ?? .unknown }
    }

    private let results: [ProbeResult]

    /// Creates the report of results, in their order.
    ///
    /// - Parameter results: those of any number of targets, one for each backend.
    public init(_ results: [ProbeResult]) {
        self.results = results
    }

    /// The state of all results together; unknown without any.
    public var state: State { .worst(results.map { State($0.verdict) }) }

    private var subjects: [String] {
        results.reduce(into: [String]()) { if !$0.contains($1.title) { $0.append($1.title) } }
    }

    /// The plugin's output, without a line break at its end.
    public var text: String {
        let subjects = subjects
        let measured = subjects.flatMap { values(of: $0) }.joined(separator: " ")
        let first = "PROBE \(state.word) - \(subjects.map(summary).joined(separator: "; "))"
        return ([Self.plain(first) + (measured.isEmpty ? "" : " | \(measured)")] + details.map(Self.plain))
            .joined(separator: "\n")
    }

    /// Returns the output where nothing could be asked, for a reason that is an alarm itself.
    package static func alarm(_ reason: String) -> String { plain("PROBE \(State.critical.word) - \(reason)") }

    /// Returns a target's state in a few words: its worst outcome, and with how many stacks.
    private func summary(_ subject: String) -> String {
        let own = results.filter { $0.title == subject }
        let failing = own.filter { !$0.verdict.outcome.isPass }
        let worst = Outcome.deciding(among: own.map(\.verdict.outcome))
        let more = failing.count - count(worst, of: own)
        let others = more > 0 && !failing.isEmpty ? ", and \(more) more \(more == 1 ? "fails" : "fail")" : ""
        let days =
            remaining(subject).map { seconds in
                let days = DurationText.days(seconds)
                return seconds < 0 ? ", a certificate expired \(days) ago" : ", a certificate expires in \(days)"
            } ?? ""
        return failing.isEmpty
            ? "\(subject) passes with \(own.count) of \(own.count)\(days)"
            : "\(subject) \(worst.rawValue) with \(count(worst, of: own)) of \(own.count)\(others)\(days)"
    }

    private func count(_ outcome: Outcome, of results: [ProbeResult]) -> Int {
        results.count { $0.verdict.outcome == outcome }
    }

    /// The errors and warnings with their fixes, each once.
    private var details: [String] {
        subjects.flatMap { subject in
            let title = subjects.count == 1 ? "" : "\(subject), "
            return FindingGroup.groups(results.filter { $0.title == subject }).filter { $0.severity != .note }
                .flatMap { group in
                    group.wordings.map {
                        "\(group.severity.rawValue) \(title)\($0.backends.joined(separator: ", ")): \($0.message)"
                    } + (group.fix.isEmpty ? [] : ["fix: \(group.fix)"])
                }
        }
    }

    /// Returns the measured values of a target: the time that its certificates have left, and that the slowest stack took.
    private func values(of subject: String) -> [String] {
        let label = PrintableText.replace(["'": "''", "=": "_", "|": "/"], in: subject)
        let timings = results.filter { $0.title == subject }.compactMap { result in
            let timings = result.evidence.connection?.report.timings
            return timings?.handshake.map { ($0 + (timings?.connect ?? .zero)).inSeconds }
        }
        let days = remaining(subject).map(Self.wholeDays)
        return (days.map { ["'\(label) days'=\($0);;;;"] } ?? [])
            + (timings.max().map { ["'\(label) time'=\($0)s;;;0;"] } ?? [])
    }

    /// Returns whole days as the first line has them, but one from the first second after the end, so that a threshold of zero
    /// alarms.
    private static func wholeDays(_ seconds: Double) -> Int {
        let days = Int(seconds / 86_400)
        return seconds < 0 ? min(days, -1) : days
    }

    /// Returns the seconds that are left to the certificate that ends first, of all that any address and stack was shown.
    private func remaining(_ subject: String) -> Double? {
        let connections = results.filter { $0.title == subject }.compactMap(\.evidence.connection)
        let left = connections.flatMap { connection in
            connection.presented.compactMap {
                connection.certificates[$0].details?.notAfter.timeIntervalSince(connection.instant)
            }
        }
        return left.min()
    }

    /// Returns a line without the sign that begins measured values.
    private static func plain(_ line: String) -> String {
        PrintableText.replace(["|": "/"], in: line)
    }
}
