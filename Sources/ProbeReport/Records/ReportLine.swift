import ProbeKit
public import ProbeRun

/// One result as one JSON object on one line, in the schema `probe/1`: every key is always present, and none ever
/// changes its meaning within the version.
public struct ReportLine: Encodable, Sendable {
    let schema = "probe/1"
    let target: String
    @Always var service: String?
    @Always var transport: String?
    @Always var resolver: String?
    let outcome: Outcome
    @Always var stage: Stage?
    let findings: [Finding]
    let tries: Int
    let evidence: EvidenceRecord
    /// The target as people write it, where a name in it is outside ASCII.
    @Always var unicode: String?

    /// Creates the line of a result.
    public init(_ result: ProbeResult) {
        target = result.subject
        service = result.service
        transport = result.evidence.connection?.transport.name
        resolver = result.evidence.model?.resolver.name
        outcome = result.verdict.outcome
        stage = result.verdict.stage
        findings = result.verdict.findings
        tries = result.tries
        evidence = EvidenceRecord(
            result.evidence, trust: result.trust, dialled: result.dialled, followed: result.followed)
        unicode = ServerName.unicode(in: result.subject)
    }

    /// The line's text, without the line break.
    public var json: String { JSONWriter.line(self) }
}

extension ReportLine: JSONWritable {
    package func write(to json: inout JSONWriter) {
        json.object { writeFields(to: &$0) }
    }

    /// Writes the fields of the object.
    ///
    /// - Parameter writeScan: writes what a line of a scan has beside them, where its key comes.
    package func writeFields(to json: inout JSONWriter, scan writeScan: (inout JSONWriter) -> Void = { _ in }) {
        json.field("evidence", evidence)
        json.field("findings", findings)
        json.field("outcome", outcome)
        json.field("resolver", resolver)
        writeScan(&json)
        json.field("schema", schema)
        json.field("service", service)
        json.field("stage", stage)
        json.field("target", target)
        json.field("transport", transport)
        json.field("tries", tries)
        json.field("unicode", unicode)
    }
}
