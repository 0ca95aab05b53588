import ProbeKit
public import ProbeRun

/// Changes as text: a line each, with the explanation below.
public struct WatchText: Sendable {
    private let style: Style

    /// Creates the text of changes.
    public init(style: Style = Style(isColoured: false)) {
        self.style = style
    }

    /// Returns a change with the finding that explains it, without a line break at the end.
    public func text(_ change: StatusChange) -> String {
        let outcome = style.outcome(change.to, change.to.rawValue)
        let course =
            switch change.kind {
            case .status, .recovered, .terminal: change.from.map { "\($0.rawValue) -> \(outcome)" } ?? outcome
            case .drift, .expiring: outcome
            }
        // It has a service's name, which is a profile's.
        let subject = style.bold(PrintableText.escape(change.subject.description))
        var lines = [
            "\(style.dim(RFC3339.format(change.time)))  \(change.kind.rawValue)  \(subject)  \(course)"
        ]
        if let finding = change.finding {
            lines.append(
                "    \(finding.severity.rawValue) \(finding.stage.rawValue)/\(finding.code): \(finding.message)")
            if !finding.fix.isEmpty { lines.append("      fix: \(finding.fix)") }
        }
        return lines.joined(separator: "\n")
    }
}
