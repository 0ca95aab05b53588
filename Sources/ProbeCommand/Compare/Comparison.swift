import ProbeDNS
import ProbeKit
import ProbeReport
import ProbeRun

/// One fact as each backend reports it.
struct ComparedFact: Encodable {
    /// The name of the fact, like `cipher-suite`.
    let fact: String
    /// The backends' names.
    let backends: [String]
    /// The values, in the order of the backends; null for a backend without one.
    let values: [String?]
    /// True if all backends with a value have the same.
    let isEqual: Bool
    /// The meaning of a difference, or the reason of a value that all have; null if there is neither.
    @Always var explanation: String?

    private enum CodingKeys: String, CodingKey {
        case fact, backends, values, isEqual = "equal", explanation
    }

    /// - Parameters:
    ///   - shared: the reason of the value that all have, if they have the same.
    ///   - meaning: returns the meaning of a difference, given each backend's value.
    init(
        _ fact: String, _ values: [(backend: String, value: String?)], shared: String? = nil,
        meaning: ([(String, String?)]) -> String
    ) {
        self.fact = fact
        backends = values.map(\.backend)
        self.values = values.map(\.value)
        isEqual = Set(values.compactMap(\.value)).count <= 1
        explanation = isEqual ? shared : meaning(values)
    }
}

/// One target's facts side by side, over all backends.
struct Comparison: Encodable {
    let schema = "probe-compare/1"
    let target: String
    /// The endpoint that was dialled, where each address or family has a line of its own, or records were followed.
    @Always var dialled: String?
    /// The records that led to the server.
    let followed: [FollowedRecord]
    /// True if nothing differs but what stacks may choose; false also where a fault, or the lack of what is asked, left nothing to
    /// compare.
    let agree: Bool
    /// True if something differs that stacks may not choose.
    let differ: Bool
    let outcomes: [String: Outcome]
    let facts: [ComparedFact]
    /// The backends that were not asked, with their missing capabilities: of `all` in one line, named ones in one each.
    let leftOut: [String]
    /// The faults of backends, which are about these and not about the server.
    let faults: [String]
    /// The part of the target's addresses that it is about; nil is all of them.
    let part: AddressPart?
    /// The records that led to the server, as text shows them.
    let course: [FollowedRecords]

    private enum CodingKeys: CodingKey { case schema, target, dialled, followed, agree, outcomes, facts, leftOut }

    init(_ results: [ProbeResult], target: String) {
        self.target = target
        dialled = results.first?.dialled?.description
        part = results.first?.part
        course = results.first?.followed ?? []
        followed = course.map(FollowedRecord.init)
        outcomes = Dictionary(
            results.map { (Self.name($0), $0.verdict.outcome) }, uniquingKeysWith: { first, _ in first })
        // An answer that came too late for us is not a difference between stacks.
        let results = results.filter { $0.verdict.outcome != .localOverload }
        // Nor is a backend's own fault, but then there is nothing to agree on.
        let faulty = results.filter(Self.isFaulty)
        let sound = results.filter { !Self.isFaulty($0) }
        // Nor is a verdict for want of a backend that can do what is asked; the other one of a pair was asked all the same.
        let compared = results.filter { $0.verdict.outcome != .unsupported }
        var seen: Set<String> = []
        let connections = sound.compactMap(\.evidence.connection)
            .filter { Self.wasAsked($0) && seen.insert($0.transport.name).inserted }
        let models = sound.compactMap(\.evidence.model)
            .filter { $0.missing.isEmpty && seen.insert("dns " + $0.resolver.name).inserted }
        facts =
            (compared.isEmpty
                ? []
                : [
                    ComparedFact("verdict", compared.map { (Self.name($0), $0.verdict.outcome.rawValue) }) { _ in
                        let differ = Set(compared.filter { !Self.isFaulty($0) }.map(\.verdict.outcome)).count > 1
                        let difference =
                            "clients on these stacks would not see the same server: the rows below say why"
                        return (faulty.map(Self.fault) + (differ ? [difference] : [])).joined(separator: "; ")
                    }
                ])
            + Self.explained(
                ConnectionFacts.all(connections) + ModelFacts.all(models), compared.filter { !Self.isFaulty($0) })
        var told: Set<String> = []
        leftOut =
            (results.flatMap(\.verdict.findings).filter(\.isAboutLeftOut).map(\.message) + results.compactMap(Self.lack))
            .filter { told.insert($0).inserted }
        faults = faulty.map(Self.fault)
        differ = facts.contains { !$0.isEqual && !ConnectionFacts.choices.contains($0.fact) }
        let isAsked = compared.count == results.count || max(connections.count, models.count) > 1
        agree = faulty.isEmpty && !differ && isAsked
    }

    /// Returns facts, and the findings beside them where the verdicts differ and no fact does.
    private static func explained(_ facts: [ComparedFact], _ results: [ProbeResult]) -> [ComparedFact] {
        let isSeen = facts.contains { !$0.isEqual && !ConnectionFacts.choices.contains($0.fact) }
        guard !isSeen, Set(results.map(\.verdict.outcome)).count > 1 else { return facts }
        let found = results.map { result in
            (name: name(result), findings: result.verdict.findings.filter { $0.severity != .note })
        }
        func word(_ finding: Finding) -> String { "\(finding.severity.rawValue) \(finding.code)" }
        let everywhere = found.map { Set($0.findings.map(word)) }.reduce(nil as Set<String>?) {
            $0?.intersection($1) ?? $1
        }
        let differing = found.map { found in
            (found.name, findings: found.findings.filter { everywhere?.contains(word($0)) != true })
        }
        let values = differing.map { ($0, $1.isEmpty ? "none" : $1.map(word).joined(separator: ", ")) }
        return facts + [
            ComparedFact("findings", values) { _ in
                differing.flatMap { name, findings in findings.map { "\(name): \($0.message)" } }
                    .joined(separator: "; ")
            }
        ]
    }

    /// True if the backend found nothing out for a fault of its own.
    private static func isFaulty(_ result: ProbeResult) -> Bool {
        result.verdict.outcome == .internalError || result.evidence.model?.deciding?.report.isOwnFault == true
    }

    /// A backend's fault, which is about the backend and not about the server.
    private static func fault(_ result: ProbeResult) -> String {
        "\(name(result)) failed by itself: \(result.verdict.decidingFinding?.message ?? "no reason given")"
    }

    private static func wasAsked(_ connection: ConnectionEvidence) -> Bool {
        connection.missing.isEmpty && connection.report.failure?.code != .unsupported
    }

    /// The reason why a backend that was named was not asked, which names it.
    private static func lack(_ result: ProbeResult) -> String? {
        guard result.verdict.outcome == .unsupported, let finding = result.verdict.decidingFinding else { return nil }
        let names = [result.evidence.connection?.transport.name, result.evidence.model?.resolver.name]
        let isNamed = names.contains { $0.map(finding.message.hasPrefix) == true }
        return isNamed ? finding.message : "\(name(result)): \(finding.message)"
    }

    private static func name(_ result: ProbeResult) -> String {
        [result.evidence.connection?.transport.name, result.evidence.model?.resolver.name]
            .compactMap(\.self).joined(separator: "+")
    }
}

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
                "the resolvers received or decoded different answers: a build's start depends on its DNS stack"
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
