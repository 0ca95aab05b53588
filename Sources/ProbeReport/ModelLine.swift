import ProbeKit
public import ProbeRun

/// The line of a model list's result in a run over many names: a ``ReportLine`` with its place, written directly, byte for
/// byte as the encoder writes it, which takes ten times as long as everything else about a name.
public struct ModelLine: Sendable {
    /// The position of a result among its name's.
    public struct Place: Encodable, Sendable {
        let id: String
        @Always var line: Int?
        /// Null: a name is not dialled.
        @Always var dialled: String?
        let result: Int
        let results: Int
        /// False: a list of names is not gone on with.
        let isRetry = false

        private enum CodingKeys: String, CodingKey {
            case id, line, dialled, result, results, isRetry = "retry"
        }

        /// Creates a position.
        ///
        /// - Parameters:
        ///   - id: the name's identifier, hexadecimal.
        ///   - line: the number of its line in the list; nil for an argument of the command.
        ///   - result: the result's number, from 1 on.
        ///   - results: the number of results of the name.
        public init(id: String, line: Int?, result: Int, results: Int) {
            self.id = id
            self.line = line
            self.result = result
            self.results = results
        }
    }

    private let result: ProbeResult
    private let place: Place

    /// Creates the line of a result without a connection.
    public init(_ result: ProbeResult, _ place: Place) {
        precondition(result.evidence.connection == nil, "a model list has no connection")
        self.result = result
        self.place = place
    }

    /// Appends the line, without the line break.
    public func append(to text: inout [UInt8]) {
        var json = JSONBytes(text)
        text = []
        write(&json)
        text = json.bytes
    }

    private func write(_ json: inout JSONBytes) {
        json.raw(#"{"evidence":{"attempts":[],"chain":[],"dns":["#)
        json.list(result.evidence.model?.answers.flatMap(DNSRecordLine.lines) ?? []) { $1.write(&$0) }
        json.raw(#"],"http":null,"timings":{"connect":null,"dialogue":null,"dns":"#)
        json.number(result.evidence.model?.duration.inSeconds)
        json.raw(
            #","handshake":null,"trust":null},"tls":null,"trust":{"anchors":null,"at":null,"furtherPaths":[],"mode":"#)
        json.string(result.trust.rawValue)
        json.raw(#","native":null,"path":null,"reference":null}},"findings":["#)
        json.list(result.verdict.findings) { json, finding in
            json.raw(#"{"code":"#)
            json.string(finding.code)
            json.raw(#","fix":"#)
            json.string(finding.fix)
            json.raw(#","message":"#)
            json.string(finding.message)
            json.raw(#","severity":"#)
            json.string(finding.severity.rawValue)
            json.raw(#","stage":"#)
            json.string(finding.stage.rawValue)
            json.raw("}")
        }
        json.raw(#"],"outcome":"#)
        json.string(result.verdict.outcome.rawValue)
        json.raw(#","resolver":"#)
        json.string(result.evidence.model?.resolver.name)
        json.raw(#","scan":{"dialled":null,"id":"#)
        json.string(place.id)
        json.raw(#","line":"#)
        json.number(place.line)
        json.raw(#","result":"#)
        json.number(place.result)
        json.raw(#","results":"#)
        json.number(place.results)
        json.raw(#","retry":false},"schema":"probe/1","service":"#)
        json.string(result.service)
        json.raw(#","stage":"#)
        json.string(result.verdict.stage?.rawValue)
        json.raw(#","target":"#)
        json.string(result.subject)
        json.raw(#","transport":null,"tries":"#)
        json.number(result.tries)
        json.raw(#","unicode":"#)
        json.string(ServerName.unicode(in: result.subject))
        json.raw("}")
    }
}

/// The same by way of the encoder, for the test that compares the two.
package struct EncodedModelLine: Encodable {
    private let report: ReportLine
    private let place: ModelLine.Place

    private enum CodingKeys: String, CodingKey {
        case scan
    }

    package init(_ result: ProbeResult, _ place: ModelLine.Place) {
        report = ReportLine(result)
        self.place = place
    }

    package func encode(to encoder: any Encoder) throws {
        try report.encode(to: encoder)
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(place, forKey: .scan)
    }
}

extension DNSRecordLine {
    fileprivate func write(_ json: inout JSONBytes) {
        json.raw(#"{"aliases":"#)
        json.rare(aliases)
        json.raw(answered ? #","answered":true,"channel":"# : #","answered":false,"channel":"#)
        json.string(channel.rawValue)
        json.raw(#","dnssec":"#)
        json.string(dnssec)
        json.raw(#","dropped":["#)
        json.list(dropped) { $0.string($1) }
        json.raw(#"],"ednsSize":"#)
        json.number(ednsSize.map(Int.init))
        json.raw(#","extendedErrors":"#)
        json.rare(extendedErrors)
        json.raw(#","failure":"#)
        if let failure { json.encoded(failure) } else { json.raw("null") }
        json.raw(#","flags":"#)
        json.strings(flags)
        json.raw(#","host":"#)
        json.string(host)
        json.raw(#","replyBytes":"#)
        json.number(replyBytes)
        json.raw(#","responseCode":"#)
        json.string(responseCode)
        json.raw(#","seconds":"#)
        json.number(seconds)
        json.raw(#","server":"#)
        json.string(server)
        json.raw(#","strings":"#)
        json.strings(strings)
        json.raw(#","ttl":"#)
        json.number(ttl.map(Int.init))
        json.raw("}")
    }
}

/// JSON in the making, as `JSONText` writes it.
struct JSONBytes {
    private(set) var bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    /// Appends what is JSON already.
    mutating func raw(_ text: StaticString) {
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a text, or null.
    mutating func string(_ text: String?) {
        guard let text else { return raw("null") }
        guard text.utf8.allSatisfy({ (0x20...0x7e).contains($0) && $0 != 0x22 && $0 != 0x5c }) else {
            return encoded(text)
        }
        bytes.append(0x22)
        bytes.append(contentsOf: text.utf8)
        bytes.append(0x22)
    }

    /// Appends a number, or null.
    mutating func number(_ value: Int?) {
        guard let value else { return raw("null") }
        bytes.append(contentsOf: String(value).utf8)
    }

    /// Appends a number, or null; a whole one has no fraction.
    mutating func number(_ value: Double?) {
        guard let value else { return raw("null") }
        let text = value.description
        bytes.append(contentsOf: (text.hasSuffix(".0") ? text.dropLast(2) : text[...]).utf8)
    }

    /// Appends the items of a list, with commas between them.
    mutating func list<Item>(_ items: [Item], _ write: (inout JSONBytes, Item) -> Void) {
        for (index, item) in items.enumerated() {
            if index > 0 { bytes.append(0x2c) }
            write(&self, item)
        }
    }

    /// Appends a list of texts, or null.
    mutating func strings(_ items: [String]?) {
        guard let items else { return raw("null") }
        raw("[")
        list(items) { $0.string($1) }
        raw("]")
    }

    /// Appends a list that is nearly always empty.
    mutating func rare(_ items: [some Encodable]) {
        if items.isEmpty { raw("[]") } else { encoded(items) }
    }

    /// Appends what the encoder makes of a value.
    mutating func encoded(_ value: some Encodable) {
        bytes.append(contentsOf: JSONText.line(value).utf8)
    }
}
