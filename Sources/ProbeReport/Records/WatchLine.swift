import ProbeKit
public import ProbeRun

/// One change as one JSON object on one line, in the schema `probe-watch/1`: every key is always there.
public struct WatchLine: Encodable, Sendable {
    let schema = "probe-watch/1"
    let time: String
    let kind: StatusChange.Kind
    let subject: String
    @Always var service: String?
    @Always var transport: String?
    @Always var resolver: String?
    @Always var from: Outcome?
    let to: Outcome
    @Always var finding: Finding?

    /// Creates the line of a change.
    public init(_ change: StatusChange) {
        time = RFC3339.format(change.time)
        kind = change.kind
        subject = change.subject.name
        service = change.subject.service
        transport = change.subject.transport
        resolver = change.subject.resolver
        from = change.from
        to = change.to
        finding = change.finding
    }

    /// The line's text, without the line break.
    public var json: String { JSONText.line(self) }
}
