import ProbeKit
public import ProbeRun

/// Results as JUnit XML: a suite for each target, a case for the backends that come to the same.
public struct JUnitReport: Sendable {
    private let results: [ProbeResult]
    private let failsOnWarning: Bool

    /// Creates the report of results, in their order.
    ///
    /// - Parameters:
    ///   - results: those of any number of targets, one for each backend.
    ///   - failsOnWarning: true if the first warning of a result without errors is a failure.
    public init(_ results: [ProbeResult], failsOnWarning: Bool = false) {
        self.results = results
        self.failsOnWarning = failsOnWarning
    }

    /// The document, with a line break at its end.
    public var xml: String {
        var subjects: [String] = []
        for result in results where !subjects.contains(result.title) { subjects.append(result.title) }
        let suites = subjects.map { subject in
            JUnitDocument.Suite(
                name: subject, cases: Self.alike(results.filter { $0.title == subject }).map(testCase))
        }
        return JUnitDocument(name: "probe", suites: suites).xml
    }

    /// The results of one target, those together that have the same errors and warnings.
    private static func alike(_ results: [ProbeResult]) -> [[ProbeResult]] {
        struct Signature: Hashable {
            let service: String?
            let isFleet: Bool
            let outcome: Outcome
            let findings: [[String]]

            init(_ result: ProbeResult) {
                service = result.service
                isFleet = result.evidence.connection?.transport == .fleet
                outcome = result.verdict.outcome
                findings = result.verdict.findings.filter { $0.severity != .note }
                    .map { [$0.severity.rawValue, $0.stage.rawValue, $0.code, $0.fix] }
            }
        }
        var order: [Signature] = []
        var groups: [Signature: [ProbeResult]] = [:]
        for result in results {
            let signature = Signature(result)
            if groups[signature] == nil { order.append(signature) }
            groups[signature, default: []].append(result)
        }
        return order.compactMap { groups[$0] }
    }

    /// The case of results that are alike: its failure has every error, its output all other findings.
    private func testCase(_ results: [ProbeResult]) -> JUnitDocument.Case {
        let groups = FindingGroup.groups(results)
        let all = results.count
        let verdict = results.first?.verdict
        let leading = failsOnWarning ? verdict?.leadingFinding : verdict?.decidingFinding
        return JUnitDocument.Case(
            name: Self.distinct(results.map(\.backends)).joined(separator: ", "), group: results.first?.title ?? "",
            seconds: results.map(Self.seconds).max() ?? 0,
            problem: leading.map { finding in
                .init(
                    isError: verdict?.outcome == .internalError, type: verdict?.outcome.rawValue ?? "",
                    message: "\(finding.code): \(finding.message)",
                    text: groups.filter { $0.severity == finding.severity }.map { Self.text($0, of: all) }
                        .joined(separator: "\n"))
            },
            notes: groups.filter { $0.severity != .error && $0.severity != leading?.severity }.map {
                Self.text($0, of: all)
            }
            .joined(separator: "\n"))
    }

    /// A target that is given twice has each backend twice.
    private static func distinct(_ names: [String]) -> [String] {
        var seen: Set<String> = []
        return names.filter { seen.insert($0).inserted }
    }

    private static func text(_ group: FindingGroup, of all: Int) -> String {
        let lines = group.wordings.map { wording in
            let owners = wording.backends.count == all ? "" : " (\(wording.backends.joined(separator: ", ")))"
            return "\(group.severity.rawValue) \(group.stage.rawValue)/\(group.code)\(owners): \(wording.message)"
        }
        return (lines + (group.fix.isEmpty ? [] : ["fix: \(group.fix)"])).joined(separator: "\n")
    }

    private static func seconds(_ result: ProbeResult) -> Double {
        let timings = result.evidence.connection?.report.timings
        let connection = [timings?.connect, timings?.handshake].compactMap(\.self).reduce(.zero, +)
        // DNS is asked while the connection is made.
        return max(connection, result.evidence.model?.duration ?? .zero).inSeconds
    }
}
