import ProbeKit

/// The facts of a model check that are worth comparing, with the meaning of a difference in each.
enum ModelFacts {
    static func all(_ models: [ModelEvidence]) -> [ComparedFact] {
        guard !models.isEmpty else { return [] }
        func fact(_ name: String, _ meaning: String, _ value: (ModelEvidence) -> String?) -> ComparedFact {
            ComparedFact(name, models.map { ($0.resolver.name, value($0)) }) { _ in meaning }
        }
        return [
            fact(
                "model",
                "the resolvers were told, or made of it, different things: a build's start depends on its DNS stack"
            ) {
                $0.deciding.map { $0.reading.outcome.rawValue }
            },
            fact(
                "txt-items",
                "the resolvers hold different lists: a record was changed just now, or an answer was lost or forged"
            ) {
                $0.deciding.flatMap { items($0.reading) }
            },
        ]
    }

    private static func items(_ reading: ModelReading) -> String? {
        switch reading {
        case .listed(let list), .listedInPart(let list), .notListed(let list):
            list.items.map { MasterFileText.escape($0) }.sorted().joined(separator: ",")
        case .absent, .indeterminate, .readingsDisagree: nil
        }
    }
}
