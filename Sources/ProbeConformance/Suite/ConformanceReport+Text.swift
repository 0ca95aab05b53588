import ProbeKit

extension ConformanceReport {
    /// The matrix of outcomes as text: one table for TLS, one for DNS, one for signatures, and a summary. It ends
    /// without a line break.
    public var matrix: String {
        let tables = [("TLS CASE", tls), ("DNS CASE", dns), ("SIGNATURE CASE", signatures)].filter { !$0.1.isEmpty }
            .map(Self.table)
        let broken = failures.isEmpty ? "" : (["Broken promises:"] + failures.map { "  \($0)" }).joined(separator: "\n")
        return (tables + [Self.knownDifferences(cases), broken, summary].filter { !$0.isEmpty }).joined(
            separator: "\n\n")
    }

    /// The summary alone: a line for each table, one for each backend in it, and one of what was left out.
    public var summary: String {
        let tables = [("TLS", tls), ("DNS", dns), ("Signatures", signatures)].filter { !$0.1.isEmpty }.map(Self.summary)
        return (tables + [remark].compactMap(\.self)).joined(separator: "\n")
    }

    /// The cases that were left out, and why; nil if none was.
    package var remark: String? {
        leftOut.isEmpty ? nil : "Left out, since this machine has no address ::1: \(leftOut.joined(separator: ", "))"
    }

    private static func table(_ title: String, _ cases: [Case]) -> String {
        let backends = backends(of: cases)
        let rows = cases.map { row in
            [row.id] + backends.map { name in row.cells.first { $0.backend == name }.map(text) ?? "not asked" }
                + [judgement(row)]
        }
        return TextTable(columns: [title] + backends + ["BACKENDS"], rows: rows).text
    }

    /// Returns the backends in their order: a case concerns some of them.
    static func backends(of cases: [Case]) -> [String] {
        cases.flatMap(\.cells).map(\.backend).reduce(into: []) { names, name in
            if !names.contains(name) { names.append(name) }
        }
    }

    /// Returns the reason for each known difference.
    private static func knownDifferences(_ cases: [Case]) -> String {
        let rows = cases.flatMap { row in
            row.cells.compactMap { cell in cell.deviation.map { [row.id, cell.backend, $0] } }
        }
        return rows.isEmpty ? "" : TextTable(columns: ["KNOWN DIFFERENCE", "OF", "WHY"], rows: rows).text
    }

    private static func text(_ cell: Cell) -> String {
        let outcome = cell.outcome?.rawValue ?? "not played"
        return cell.failure == nil ? outcome : "\(outcome) (!)"
    }

    private static func judgement(_ row: Case) -> String {
        if !row.isKept { return "BROKEN" }
        if row.isDifferent { return "DIFFERENT" }
        if row.isEqual { return row.isKnownToDiffer ? "equal, known" : "equal" }
        return "known difference"
    }

    private static func summary(_ title: String, _ cases: [Case]) -> String {
        let known = cases.filter(\.isKnownToDiffer)
        let rest = cases.filter { !$0.isKnownToDiffer }
        let different = cases.filter(\.isDifferent)
        let backends = backends(of: cases)
        let equality =
            different.isEmpty
            ? "all equal" : "\(different.count) DIFFERENT: \(different.map(\.id).joined(separator: ", "))"
        let head =
            "\(title): \(rest.count.counted("case")) × \(backends.count.counted("backend")), \(equality)"
        let tail = known.isEmpty ? "" : "; \(known.count) more with known differences"
        let counts = backends.map { name in
            let cells = cases.compactMap { row in row.cells.first { $0.backend == name } }
            let kept = cells.count { $0.failure == nil }
            let unsupported = cells.count { $0.outcome == .unsupported }
            return "  \(name): \(kept) of \(cells.count) as promised"
                + (unsupported == 0 ? "" : ", \(unsupported) of them unsupported")
        }
        return ([head + tail] + counts).joined(separator: "\n")
    }

}
