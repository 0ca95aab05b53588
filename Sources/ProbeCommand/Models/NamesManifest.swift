import ProbeKit
import ProbeRun
import ProbeScan

/// The last line of a run over a list of names: its inputs, and its counts.
struct NamesManifest: Encodable {
    /// The options that have a part in the results, as they took effect.
    struct Options: Encodable {
        @Always var at: String?
        let timeout: Double
        @Always var model: String?
        let dnsServers: [String]
        let dnssec: String
        let strings: String
        @Always var ednsSize: Int?
        let concurrency: Int
    }

    let schema = "probe-models/1"
    /// The version of the command.
    let version = ProbeVersion.current
    /// The start and end of the run, RFC 3339.
    let began: String
    let ended: String
    /// True if the whole list was done: all of it could be read, and every name has its lines.
    let isComplete: Bool
    let resolvers: [BackendIdentity]
    let options: Options
    let counts: ScanTally

    private enum CodingKeys: String, CodingKey {
        case schema, version, began, ended, isComplete = "complete", resolvers, options, counts
    }
}

extension NamesManifest.Options {
    /// Creates the options of a check.
    init(_ check: ModelCheck, at: String?, timeout: Duration, concurrency: Int) {
        self.init(
            at: at, timeout: timeout.inSeconds, model: check.model?.description, dnsServers: check.serverTexts,
            dnssec: check.dnssec.rawValue, strings: check.strings.rawValue, ednsSize: check.ednsSize.map(Int.init),
            concurrency: concurrency)
    }
}
