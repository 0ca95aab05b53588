import ProbeKit
import ProbePins
import ProbePlatform

/// The judgement of one event for the clients of a service, by the same policies as checks.
struct ForecastJudgement {
    private struct Answer {
        let platform: String
        let result: ForecastRow.Result
        let reason: String
    }

    /// One for each platform, in the order of the clients.
    private let answers: [Answer]

    /// - Parameter isEnforced: true if the environment enforces pins.
    init(_ clients: [ServicePins], isEnforced: Bool, _ entry: ForecastEntry, _ chain: ForecastChain) {
        var answers: [Answer] = []
        func add(_ answer: Answer) {
            guard let index = answers.firstIndex(where: { $0.platform == answer.platform }) else {
                answers.append(answer)
                return
            }
            // All sets of a platform must match, so the worst decides.
            if answers[index].result < answer.result { answers[index] = answer }
        }
        let evidence = Evidence(connection: chain.evidence(entry.change, at: entry.instant), model: nil)
        // Pins that expire concern the clients that have them.
        let concerned = clients.filter { entry.event != .pinsExpire || $0.pinsExpire(by: entry.instant) }
        for client in concerned {
            let groups = client.sets.map { $0.group(isEnforced: isEnforced) }
            // One finding for each group, keys first.
            let findings = PinsMatch(groups).judge(evidence, at: entry.instant)
            for (group, finding) in zip(groups.filter(\.pinsKeys) + groups.filter { !$0.pinsKeys }, findings) {
                let isRefused = entry.event == .certificateExpires
                add(
                    Answer(
                        platform: Self.platform(of: group, client.source),
                        result: isRefused ? .fails : Self.result(of: finding),
                        reason: isRefused
                            ? (entry.ending.map { "\($0) ends before the leaf: " } ?? "")
                                + "every client refuses a certificate that has ended, whatever is pinned"
                            : ForecastReason(finding, group, entry, chain).text))
            }
            for answer in Self.beside(client, isEnforced: isEnforced, entry, chain) { add(answer) }
        }
        self.answers = answers
    }

    /// Returns the answers of a client's rules beside pins, as far as the chain shows what they depend on: keys that stay,
    /// and the common name of a leaf that does.
    private static func beside(
        _ client: ServicePins, isEnforced: Bool, _ entry: ForecastEntry, _ chain: ForecastChain
    ) -> [Answer] {
        let change = entry.change
        var answers: [Answer] = []
        if let finding = client.trustKitKeys()?.finding(
            on: chain.trustKitPath(change, at: entry.instant), at: entry.instant)
        {
            answers.append(
                Answer(
                    platform: HostSemantics.trustkit.rawValue, result: result(of: finding), reason: finding.message))
        }
        guard change == .none, let served = chain.served else { return answers }
        for set in client.sets {
            let findings = CommonNamesMatch([set], isEnforced: isEnforced)?
                .judge(Evidence(connection: served, model: nil), at: entry.instant)
            answers += (findings ?? []).map {
                Answer(
                    platform: platform(of: set.group(), client.source), result: result(of: $0), reason: $0.message)
            }
        }
        return answers
    }

    /// Returns the answers of several possible chains as one: if they differ, the result depends on the chain.
    static func merged(
        _ judged: [ForecastJudgement]
    ) -> [(platform: String, result: ForecastRow.Result, reason: String)] {
        guard let first = judged.first, let last = judged.last else { return [] }
        return zip(first.answers, last.answers).map { lowest, highest in
            guard lowest.result != highest.result else { return (lowest.platform, lowest.result, lowest.reason) }
            let reason =
                "\(lowest.result.words) if the pins are of the lowest certificates they can be of (\(lowest.reason)), \(highest.result.words) if of the highest: a chain would tell"
            return (lowest.platform, .depends, reason)
        }
    }

    private static func result(of finding: Finding) -> ForecastRow.Result {
        switch finding.severity {
        case .error: .fails
        case .warning: .passesWithWarning
        case .note: .passes
        }
    }

    /// Platforms pin SPKI hashes; everything else is done by code of the app's own.
    private static func platform(of group: PinGroup, _ source: ServicePins.Source) -> String {
        guard group.pinsKeys else { return "certificate" }
        guard group.pins.contains(where: { $0.kind == .spki }) else { return PinKind.rawkey.rawValue }
        if case .rules(let semantics) = source, semantics != .exact { return semantics.rawValue }
        return group.position == .leaf && group.chain == .presented ? "curl" : PinKind.spki.rawValue
    }
}

extension ForecastRow.Result: Comparable {
    /// Returns true if the right result is worse.
    public static func < (left: ForecastRow.Result, right: ForecastRow.Result) -> Bool { left.weight < right.weight }

    private var weight: Int {
        switch self {
        case .passes: 0
        case .passesWithWarning: 1
        case .depends: 2
        case .fails: 3
        }
    }

    /// The result in words.
    fileprivate var words: String {
        switch self {
        case .passes: "passes"
        case .passesWithWarning: "passes with a warning"
        case .depends: "depends"
        case .fails: "fails"
        }
    }
}

extension ServicePins {
    /// Returns true if any of the pins expires in the second before an instant.
    fileprivate func pinsExpire(by instant: Date) -> Bool {
        let lasts = sets.compactMap { $0.expiry?.last } + sets.flatMap(\.members).compactMap(\.expires)
        return lasts.contains { $0.addingTimeInterval(1) == instant }
    }
}
