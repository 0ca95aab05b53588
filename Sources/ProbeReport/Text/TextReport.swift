import ProbeKit
public import ProbeRun

/// Results for people: one line a backend, then what failed and the line to change. What fits on a screen comes by itself,
/// the evidence and everything else when it is asked for.
public struct TextReport: Sendable {
    private let style: Style
    private let isVerbose: Bool
    private let columns: Int?
    private let hintWords: String

    /// The most lines for a target that passes, or fails for one reason.
    public static let limit = 12

    /// Creates a report.
    ///
    /// - Parameters:
    ///   - style: the colours.
    ///   - isVerbose: true to print all findings and the evidence.
    ///   - columns: the width of the terminal; nil if the text goes elsewhere and is not wrapped.
    ///   - hint: the words before the names of what was left out, in the last line of a text that is not verbose: a
    ///     program can say here how to have it shown.
    public init(
        style: Style = Style(isColoured: false), isVerbose: Bool = false, columns: Int? = nil,
        hint: String = "left out:"
    ) {
        self.style = style
        self.isVerbose = isVerbose
        self.columns = columns
        hintWords = hint
    }

    /// Returns the results of one target as lines, without a line break at the end; an empty text without any.
    ///
    /// - Parameter results: one for each backend, or for each part of the addresses, all of one target.
    public func text(_ results: [ProbeResult]) -> String {
        guard let first = results.first else { return "" }
        // A name outside ASCII is shown as people write it, and as it is asked for.
        let subject = ServerName.unicode(in: first.subject).map { "\(PrintableText.escape($0)) (\(first.subject))" }
        let title = (first.service.map { "\(PrintableText.escape($0))  " } ?? "") + (subject ?? first.subject)
        return ([style.bold(title)] + body(results)).joined(separator: "\n")
    }

    /// The details left out to save lines, from none to all that can be.
    private enum Brevity: Int, CaseIterable {
        case everything, withoutNotes, foldedRows, oneWording
    }

    private func body(_ results: [ProbeResult]) -> [String] {
        let groups = FindingGroup.groups(results)
        let (shown, notes) = (groups.filter { $0.severity != .note }, groups.filter { $0.severity == .note })
        let (evidence, records) = (
            TextEvidence().lines(results, isWhole: isVerbose), TextEvidence().records(results)
        )
        let stores = StoreTable(results)
        guard !isVerbose else {
            return rows(results, isFolded: false) + (shown + notes).flatMap { finding($0, of: results) }
                + wrapped(stores.lines(isFolded: false) + evidence + records)
        }
        let room = Self.limit - 1
        for brevity in Brevity.allCases {
            var lines = rows(results, isFolded: brevity.rawValue >= Brevity.foldedRows.rawValue)
            let isWhole = brevity != .oneWording
            lines += shown.flatMap { finding($0, of: results, allWordings: isWhole) }
            if brevity == .everything { lines += notes.flatMap { finding($0, of: results) } }
            // Folded, a store that the finding names is still beside those that have a path.
            let table = isWhole ? stores.lines(isFolded: brevity != .everything) : []
            lines += wrapped(table + records)
            let hint = hint(
                isWhole || stores.isEmpty ? nil : "the root stores",
                evidence.isEmpty ? nil : "the evidence",
                brevity == .everything || notes.isEmpty ? nil : notes.count.counted("note"),
                isWhole || shown.allSatisfy { $0.wordings.count == 1 } ? nil : "every stack's words")
            if lines.count + hint.count <= room { return lines + hint }
        }
        return clipped(results, shown, records, room: room)
    }

    /// The briefest form: of long messages and lists only the beginning. Several failures are shown one by one, however
    /// many lines that takes.
    private func clipped(
        _ results: [ProbeResult], _ shown: [FindingGroup], _ records: [String], room: Int
    ) -> [String] {
        let rows = rows(results, isFolded: true)
        let hint = hint("the rest")
        let isFailure = results.contains { !$0.verdict.outcome.isPass }
        guard !isFailure || shown.count == 1 else {
            return rows + shown.flatMap { finding($0, of: results, allWordings: false) } + hint
        }
        var lines = rows
        for (index, group) in shown.enumerated() {
            let whole = finding(group, of: results, allWordings: false)
            let left = room - lines.count - hint.count
            if whole.count <= left {
                lines += whole
            } else if index == 0 {
                // The fix is never cut.
                let fix = wrapped(["      fix: \(group.fix)"])
                let kept = Array(whole.prefix(max(2, left - fix.count)))
                lines += kept.count < whole.count - fix.count ? Self.withMark(kept) : kept
                lines += fix
            } else {
                break
            }
        }
        return lines + wrapped(records).prefix(max(0, room - lines.count - hint.count)) + hint
    }

    /// Returns lines with a mark that more follows, in place of the last word; a painted line ends with its colour.
    private static func withMark(_ lines: [String]) -> [String] {
        guard let last = lines.last, !last.contains("\u{1b}"), let blank = last.lastIndex(of: " ") else { return lines }
        return lines.dropLast() + ["\(last[..<blank]) …"]
    }

    private func hint(_ parts: String?...) -> [String] {
        let parts = parts.compactMap(\.self)
        return parts.isEmpty ? [] : [style.dim("    \(hintWords) \(parts.joined(separator: ", "))")]
    }

    private func wrapped(_ lines: [String]) -> [String] { lines.flatMap { TextWrap(columns: columns).lines($0) } }

    /// A line for each backend, or for all of one outcome.
    private func rows(_ results: [ProbeResult], isFolded: Bool) -> [String] {
        guard isFolded else {
            let width = results.map(\.backends.count).max() ?? 0
            return results.flatMap { result in
                let padding = String(repeating: " ", count: width - result.backends.count)
                return row(result.verdict.outcome, result.backends + padding, facts: Self.facts(result.evidence))
            }
        }
        var order: [Outcome] = []
        var names: [Outcome: [String]] = [:]
        for result in results {
            let outcome = result.verdict.outcome
            if names[outcome] == nil { order.append(outcome) }
            names[outcome, default: []].append(result.backends)
        }
        return order.flatMap { row($0, names[$0, default: []].joined(separator: ", "), facts: []) }
    }

    private func row(_ outcome: Outcome, _ names: String, facts: [String]) -> [String] {
        let head = "  \(Self.mark(outcome)) \(names)  \(outcome.rawValue)"
        guard head.count <= columns ?? .max else {
            return TextWrap(columns: columns).lines(head, hanging: 7).map { style.outcome(outcome, $0) }
        }
        var fitting = facts
        while let columns, !isVerbose, !fitting.isEmpty,
            head.count + 2 + fitting.joined(separator: ", ").count > columns
        { fitting.removeLast() }
        let painted =
            "  \(style.outcome(outcome, Self.mark(outcome))) \(names)  \(style.outcome(outcome, outcome.rawValue))"
        let shown = fitting.joined(separator: ", ")
        if shown.isEmpty { return [painted] }
        guard head.count + 2 + shown.count <= columns ?? .max else {
            return [painted] + TextWrap(columns: columns).lines("       " + shown).map(style.dim)
        }
        return ["\(painted)  \(style.dim(shown))"]
    }

    private static func mark(_ outcome: Outcome) -> String {
        switch outcome {
        case .pass: "ok  "
        case .passWithWarnings: "warn"
        default: "FAIL"
        }
    }

    private static func facts(_ evidence: Evidence) -> [String] {
        guard let connection = evidence.connection else { return [] }
        let report = connection.report
        var facts = [report.version?.rawValue, report.cipherSuite, report.group].compactMap(\.self)
        if !connection.presented.isEmpty { facts.append(connection.presented.count.counted("certificate")) }
        if let handshake = report.timings.handshake { facts.append(milliseconds(handshake)) }
        return facts
    }

    static func milliseconds(_ duration: Duration) -> String {
        let tenths = Int((duration.inSeconds * 10_000).rounded())
        return "\(tenths / 10).\(tenths % 10) ms"
    }

    /// A finding, with the backends that have it where not all do.
    private func finding(_ group: FindingGroup, of results: [ProbeResult], allWordings: Bool = true) -> [String] {
        let who = group.backends.count == results.count ? "" : " (\(group.backends.joined(separator: ", ")))"
        let head = "    \(group.severity.rawValue) \(group.stage.rawValue)/\(group.code)\(who)"
        let wordings = allWordings ? group.wordings : Array(group.wordings.prefix(1))
        let messages = wordings.map { wording in
            group.wordings.count == 1 || !allWordings
                ? wording.message : "\(wording.backends.joined(separator: ", ")): \(wording.message)"
        }
        guard group.severity != .note else {
            return TextWrap(columns: columns).lines("\(head): \(messages.joined(separator: "; "))", hanging: 6)
                .map(style.dim)
        }
        return wrapped([head]).map { style.outcome(group.outcome ?? .passWithWarnings, $0) }
            + wrapped(messages.map { "      " + $0 } + ["      fix: \(group.fix)"])
    }
}
