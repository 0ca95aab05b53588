import ProbeKit
import ProbeRun

/// A finding that backends share, each perhaps in its own stack's words.
struct FindingGroup: Sendable {
    /// One wording, and the backends whose it is.
    struct Wording: Sendable {
        let message: String
        var backends: [String]
    }

    let code: String
    let severity: Finding.Severity
    let stage: Stage
    let fix: String
    let outcome: Outcome?
    /// At least one.
    private(set) var wordings: [Wording]

    /// The backends that have it.
    var backends: [String] { wordings.flatMap(\.backends) }

    private init(_ finding: Finding, of backend: String) {
        code = finding.code
        severity = finding.severity
        stage = finding.stage
        fix = finding.fix
        outcome = finding.outcome
        wordings = [Wording(message: finding.message, backends: [backend])]
    }

    /// The findings of several results of one target, in the order in which they first come.
    static func groups(_ results: [ProbeResult]) -> [FindingGroup] {
        var groups: [FindingGroup] = []
        for result in results {
            // Of several findings of one kind each takes part in a group of its own.
            var taken: Set<Int> = []
            for finding in result.verdict.findings {
                let open = groups.indices.filter { !taken.contains($0) && groups[$0].covers(finding) }
                if let index = open.first(where: { groups[$0].wording(finding.message) != nil }) ?? open.first {
                    groups[index].add(finding.message, of: result.backends)
                    taken.insert(index)
                } else {
                    taken.insert(groups.count)
                    groups.append(FindingGroup(finding, of: result.backends))
                }
            }
        }
        return groups
    }

    private func covers(_ finding: Finding) -> Bool {
        (code, severity, stage, fix) == (finding.code, finding.severity, finding.stage, finding.fix)
    }

    private func wording(_ message: String) -> Int? {
        wordings.firstIndex { Self.plain($0.message) == Self.plain(message) }
    }

    private mutating func add(_ message: String, of backend: String) {
        if let index = wording(message) {
            wordings[index].backends.append(backend)
        } else {
            wordings.append(Wording(message: message, backends: [backend]))
        }
    }

    /// A message without the stack's own code at its end.
    private static func plain(_ message: String) -> Substring {
        guard message.hasSuffix(")"), let code = message.ranges(of: " (").last else { return message[...] }
        return message[..<code.lowerBound]
    }
}
