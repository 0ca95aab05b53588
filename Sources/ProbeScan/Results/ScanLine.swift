import ProbeKit
package import ProbeReport

/// One result of a scan: a line of `probe/1`, and its position.
package struct ScanLine: Encodable, Sendable {
    /// The position of a result among its target's. They are consecutive, so that a truncated file shows what is
    /// missing.
    package struct Place: Encodable, Sendable {
        /// The target's identifier.
        let id: String
        /// The number of its line in the list, from 1 on; nil for an argument of the command.
        @Always var line: Int?
        /// The dialled endpoint, if it is not the target's.
        @Always var dialled: String?
        /// The result's number, from 1 on.
        let result: Int
        /// The number of results of the target.
        let results: Int
        /// True if the target was done before, and failed or had another client certificate of its own, so that these lines
        /// replace the earlier ones.
        let isRetry: Bool
        /// The identifier of the options by which it was judged; nil where lines are not continued.
        let terms: String?
        /// The SHA-256 of the target's own client certificate; nil if it has none.
        let clientCertificate: String?

        /// Creates the position of a result.
        package init(
            id: String, line: Int?, dialled: String?, result: Int, results: Int, isRetry: Bool, terms: String?,
            clientCertificate: String? = nil
        ) {
            self.id = id
            self.line = line
            self.dialled = dialled
            self.result = result
            self.results = results
            self.isRetry = isRetry
            self.terms = terms
            self.clientCertificate = clientCertificate
        }

        private enum CodingKeys: String, CodingKey {
            case id, line, dialled, result, results, terms, clientCertificate, isRetry = "retry"
        }
    }

    let report: ReportLine
    let place: Place

    /// Creates the line of a result.
    package init(report: ReportLine, place: Place) {
        self.report = report
        self.place = place
    }

    private enum CodingKeys: String, CodingKey {
        case scan
    }

    /// The line's text, without the line break.
    package var json: String { JSONWriter.line(self) }

    package func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(place, forKey: .scan)
    }
}

extension ScanLine: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { report.writeFields(to: &$0) { $0.field("scan", place) } }
    }
}

extension ScanLine.Place: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object {
            if let clientCertificate { $0.field("clientCertificate", clientCertificate) }
            $0.field("dialled", dialled)
            $0.field("id", id)
            $0.field("line", line)
            $0.field("result", result)
            $0.field("results", results)
            $0.field("retry", isRetry)
            if let terms { $0.field("terms", terms) }
        }
    }
}

/// A line of the list that names no target, answered in its place.
package struct MalformedLine: Encodable, Sendable {
    let schema = "probe-scan-error/1"
    let outcome = "usage-error"
    let line: Int
    let target: String
    let message: String
    let fix: String
    let id: String

    /// Creates the answer to a line.
    package init(_ line: MalformedTarget) {
        self.line = line.line
        target = line.text
        message = PrintableText.escape(line.error.message)
        fix = line.error.remedy
        id = line.id.hex
    }
}
