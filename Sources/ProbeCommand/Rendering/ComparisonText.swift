import ProbeKit
import ProbeReport

/// A comparison as text: facts as rows, backends as columns, then the meaning of each difference and of a failure that all
/// have.
struct ComparisonText {
    let style: Style

    func text(_ comparison: Comparison) -> String {
        var lines = [style.bold(comparison.target + (comparison.part.map { " \($0)" } ?? ""))]
        lines += comparison.course.map { style.dim("followed: \($0)") }
        // Facts about TLS and about DNS have different backends, so they make tables of their own.
        var tables: [(backends: [String], facts: [ComparedFact])] = []
        for fact in comparison.facts where fact.values.contains(where: { $0 != nil }) {
            if tables.last?.backends == fact.backends {
                tables[tables.count - 1].facts.append(fact)
            } else {
                tables.append((fact.backends, [fact]))
            }
        }
        for table in tables {
            let rows = table.facts.map { fact in
                [Self.sign(fact), fact.fact] + fact.values.map { $0 ?? "-" }
            }
            lines.append(TextTable(columns: ["", ""] + table.backends, rows: rows).text)
        }
        lines += comparison.facts.compactMap { fact in
            fact.explanation.map { "\(Self.sign(fact)) \(fact.fact): \($0)" }
        }
        if comparison.facts.allSatisfy(\.isEqual) { lines += comparison.faults }
        lines += comparison.leftOut.map(style.dim)
        lines.append(conclusion(comparison))
        return lines.joined(separator: "\n")
    }

    private static func sign(_ fact: ComparedFact) -> String { fact.isEqual ? "=" : "≠" }

    private func conclusion(_ comparison: Comparison) -> String {
        if comparison.agree { return style.outcome(.pass, "the stacks agree") }
        guard comparison.faults.isEmpty else {
            return style.outcome(.internalError, "the stacks can't be compared")
        }
        if comparison.differ { return style.outcome(.stacksDisagree, "the stacks do not agree") }
        return style.outcome(.unsupported, "too few stacks can do what is asked for a comparison")
    }
}
