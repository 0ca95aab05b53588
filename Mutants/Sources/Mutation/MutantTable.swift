/// The page of a run: the share that was noticed, by which tests, and by name the mutants that were not.
public struct MutantTable: Sendable {
    /// A mutant and the answer of the tests.
    public typealias Row = (mutant: Mutant, outcome: MutantOutcome)

    private let rows: [Row]
    private let equivalents: [EquivalentMutant]
    private let about: String

    /// The table of a run.
    ///
    /// - Parameters:
    ///   - equivalents: those that no test can notice; they count neither way.
    ///   - about: when it was, and of what.
    public init(_ rows: [Row], equivalents: [EquivalentMutant] = [], about: String = "") {
        self.rows = rows
        self.equivalents = equivalents
        self.about = about
    }

    private func reason(_ mutant: Mutant) -> String? { equivalents.first { $0.matches(mutant.name) }?.reason }

    private func isEquivalent(_ row: Row) -> Bool { !row.outcome.isKilled && reason(row.mutant) != nil }

    private var counted: [Row] { rows.filter { !isEquivalent($0) } }

    /// The share in words.
    public var summary: String { "\(share(of: counted)) mutants were noticed" }

    /// The share that was noticed, of those that could be.
    public var percentage: Double {
        counted.isEmpty ? 100 : Double(counted.count { $0.outcome.isKilled } * 100) / Double(counted.count)
    }

    private func share(of rows: [Row]) -> String {
        let killed = rows.count { $0.outcome.isKilled }
        let permille = rows.isEmpty ? 1000 : killed * 1000 / rows.count
        return "\(killed) of \(rows.count) (\(permille / 10).\(permille % 10) %)"
    }

    /// The page as Markdown.
    public var markdown: String {
        var lines = ["# Mutants", "", "Written by `make mutants`. \(about)", "", "**\(summary).**", ""]
        lines += header("folder", "noticed")
        for (folder, rows) in grouped(counted, by: folder) { lines.append("| `\(folder)` | \(share(of: rows)) |") }
        lines += [""] + header("kind", "noticed")
        for kind in Mutant.Kind.allCases {
            let rows = counted.filter { $0.mutant.name.kind == kind }
            if !rows.isEmpty { lines.append("| \(kind.rawValue) | \(share(of: rows)) |") }
        }
        lines += ["", "## Not noticed", ""] + header("where", "kind", "code", "instead", "tests")
        for row in counted where !row.outcome.isKilled {
            let tests =
                if case .survived(let suites) = row.outcome { "\(suites) suites pass" } else { "none reaches it" }
            lines.append(line(row.mutant, tests))
        }
        lines += ["", "## Equivalent", ""] + header("where", "kind", "code", "instead", "because")
        lines += rows.filter(isEquivalent).compactMap { row in reason(row.mutant).map { line(row.mutant, $0) } }
        lines += ["", "## Noticed", "", "The tests that were the first to fail, with the number of mutants.", ""]
        lines += header("file", "noticed", "by")
        for (file, rows) in grouped(counted, by: \.name.file) {
            lines.append("| `\(file)` | \(share(of: rows)) | \(escaped(tests(in: rows))) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// The rows of each key, in the order of the first.
    private func grouped(_ rows: [Row], by key: (Mutant) -> String) -> [(String, [Row])] {
        var order: [String] = []
        let groups = Dictionary(grouping: rows) { key($0.mutant) }
        for row in rows where order.last != key(row.mutant) && !order.contains(key(row.mutant)) {
            order.append(key(row.mutant))
        }
        return order.map { ($0, groups[$0] ?? []) }
    }

    /// `Sources/MODULE/FOLDER`.
    private func folder(_ mutant: Mutant) -> String {
        mutant.name.file.split(separator: "/").dropLast().prefix(3).joined(separator: "/")
    }

    private func tests(in rows: [Row]) -> String {
        var counts: [String: Int] = [:]
        for row in rows { if case .killed(let test) = row.outcome { counts[test, default: 0] += 1 } }
        return counts.sorted { ($1.value, $0.key) < ($0.value, $1.key) }
            .map { "\($0.key) \($0.value)" }.joined(separator: ", ")
    }

    private func header(_ titles: String...) -> [String] {
        ["| " + titles.joined(separator: " | ") + " |", "|" + String(repeating: " --- |", count: titles.count)]
    }

    private func line(_ mutant: Mutant, _ last: String) -> String {
        let name = mutant.name
        let file = name.file.split(separator: "/").last ?? ""
        // What a lone number stands for is in its line.
        let original = name.kind == .constant ? name.context : name.original
        let cells = [
            "\(file):\(mutant.line)", name.kind.rawValue, code(original), code(name.mutated), escaped(last),
        ]
        return "| " + cells.joined(separator: " | ") + " |"
    }

    private func code(_ text: String) -> String {
        let short = text.count > 80 ? text.prefix(79) + "…" : text[...]
        return "`" + escaped(String(short.map { $0 == "`" ? "'" : $0 })) + "`"
    }

    private func escaped(_ text: String) -> String { text.replacing("|", with: "\\|") }
}
