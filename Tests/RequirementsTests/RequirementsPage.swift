/// The page that lists the tests of each behaviour in the five documents.
struct RequirementsPage {
    let tags: Tags

    var markdown: String {
        let shown = Requirement.all.filter { $0.applicability != .not }.count
        var lines = [
            "# What the five security documents ask, and what shows it", "",
            "Written by `make requirements`; a test fails when it is not current, or when a behaviour that applies has",
            "nothing that shows it.", "",
            "\(Requirement.all.count) behaviours, of which \(shown) apply to a prober.", "",
            "| # | document | behaviour | applies | shown by |", "|---|---|---|---|---|",
        ]
        for requirement in Requirement.all.sorted(by: { $0.number < $1.number }) {
            let evidence = tags.evidence[requirement.number] ?? []
            let shown = evidence.isEmpty ? "—" : Self.list(evidence)
            lines.append(
                "| \(requirement.number) | \(requirement.source.rawValue) | \(requirement.text) | "
                    + "\(requirement.applicability.rawValue) | \(shown) |")
        }
        return lines.joined(separator: "\n") + "\n"
    }

    /// Few are enough to find the rest by.
    private static func list(_ evidence: [String]) -> String {
        let shown = evidence.prefix(4).joined(separator: ", ")
        return evidence.count > 4 ? "\(shown), and more" : shown
    }
}
