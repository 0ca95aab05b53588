package import ProbeKit
package import ProbeRun

/// The last line of a run over a list of names: its inputs, and its counts.
package struct NamesManifest: Encodable {
    /// The options that have a part in the results, as they took effect.
    package struct Options: Encodable {
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
    /// The version of the program.
    let version: String
    /// The start and end of the run, RFC 3339.
    let began: String
    let ended: String
    /// True if the whole list was done: all of it could be read, and every name has its lines.
    let isComplete: Bool
    let resolvers: [BackendIdentity]
    let options: Options
    let counts: ScanTally

    /// Creates the manifest of a run.
    ///
    /// - Parameters:
    ///   - result: its counts, and whether it is complete.
    ///   - version: that of the program.
    ///   - began: its start, RFC 3339, as `ended` its end.
    package init(
        _ result: ScanRun.Result, resolvers: [BackendIdentity], options: Options, version: String, began: String,
        ended: String
    ) {
        self.version = version
        self.began = began
        self.ended = ended
        isComplete = result.isComplete
        self.resolvers = resolvers
        self.options = options
        counts = result.tally
    }

    /// The line's text, without the line break.
    package var json: String { JSONText.line(self) }

    private enum CodingKeys: String, CodingKey {
        case schema, version, began, ended, isComplete = "complete", resolvers, options, counts
    }
}

extension NamesManifest.Options {
    /// Creates the options of a check.
    package init(_ check: ModelCheck, at: String?, timeout: Duration, concurrency: Int) {
        self.init(
            at: at, timeout: timeout.inSeconds, model: check.model?.description, dnsServers: check.serverTexts,
            dnssec: check.dnssec.rawValue, strings: check.strings.rawValue, ednsSize: check.ednsSize.map(Int.init),
            concurrency: concurrency)
    }
}
