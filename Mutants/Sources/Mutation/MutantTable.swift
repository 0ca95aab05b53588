/// The page of a run: the share that was noticed, the mutants that were not by name, and which test noticed each other.
public struct MutantTable: Sendable {
    /// A mutant and the answer of the tests.
    public typealias Row = (mutant: Mutant, outcome: MutantOutcome)

    private let rows: [Row]
    private let equivalents: [EquivalentMutant]

    /// The table of a run.
    ///
    /// - Parameter equivalents: those that no test can notice; they count neither way.
    public init(_ rows: [Row], equivalents: [EquivalentMutant] = []) {
        self.rows = rows
        self.equivalents = equivalents
    }

    private var killed: [Row] { rows.filter { if case .killed = $0.outcome { true } else { false } } }

    private var unnoticed: [Row] { rows.filter { if case .killed = $0.outcome { false } else { true } } }

    private func reason(_ mutant: Mutant) -> String? { equivalents.first { $0.matches(mutant) }?.reason }

    /// The share in words.
    public var summary: String {
        let counted = killed.count + unnoticed.filter { reason($0.mutant) == nil }.count
        let share = counted == 0 ? 100 : Double(killed.count * 1000 / counted) / 10
        return "\(killed.count) of \(counted) mutants were noticed, \(share) %"
    }

    /// The page as Markdown.
    public var markdown: String {
        var lines = ["# Mutants", "", "Written by `make mutants`. " + summary + ".", ""]
        lines += ["| kind | noticed | of |", "| --- | --- | --- |"]
        for kind in Mutant.Kind.allCases {
            let of = rows.filter { $0.mutant.kind == kind && !(isSurvivor($0) && reason($0.mutant) != nil) }
            if !of.isEmpty {
                lines.append("| \(kind.rawValue) | \(of.filter { !isSurvivor($0) }.count) | \(of.count) |")
            }
        }
        let survivors = unnoticed.filter { reason($0.mutant) == nil }
        lines += [
            "", "## Not noticed", "", "| where | kind | code | instead | tests |", "| --- | --- | --- | --- | --- |",
        ]
        lines += survivors.map { row in
            let tests =
                if case .survived(let suites) = row.outcome { "\(suites) suites pass" } else { "none reaches it" }
            return line(row.mutant, tests)
        }
        lines += [
            "", "## Equivalent", "", "| where | kind | code | instead | because |", "| --- | --- | --- | --- | --- |",
        ]
        lines += unnoticed.compactMap { row in reason(row.mutant).map { line(row.mutant, $0) } }
        lines += [
            "", "## Noticed", "", "| where | kind | code | instead | first by |", "| --- | --- | --- | --- | --- |",
        ]
        lines += killed.map { row in
            guard case .killed(let test) = row.outcome else { return "" }
            return line(row.mutant, test)
        }
        return lines.joined(separator: "\n") + "\n"
    }

    private func isSurvivor(_ row: Row) -> Bool { if case .killed = row.outcome { false } else { true } }

    private func line(_ mutant: Mutant, _ last: String) -> String {
        let file = mutant.file.split(separator: "/").last ?? ""
        let cells = [
            "\(file):\(mutant.line)", mutant.kind.rawValue, code(mutant.original), code(mutant.mutated), escaped(last),
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private func code(_ text: String) -> String {
        let short = text.count > 80 ? text.prefix(79) + "…" : text[...]
        return "`" + escaped(String(short.map { $0 == "`" ? "'" : $0 })) + "`"
    }

    private func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
