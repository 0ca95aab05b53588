import ProbeKit
import ProbePins
public import ProbeRun

/// Results as SARIF 2.1.0, as code scanning on GitHub takes it: one result for each error or warning of a target, whatever
/// the number of backends that have it.
public struct SARIFReport: Sendable {
    private let log: SARIFLog

    /// Creates the report of results, in their order.
    ///
    /// - Parameters:
    ///   - results: those of any number of targets, one for each backend.
    ///   - source: the file that lists what is checked; nil where none does. Code scanning shows no result without one.
    ///   - tool: the program that writes the report.
    public init(_ results: [ProbeResult], source: SARIFSource?, tool: SARIFTool) {
        var order: [Subject] = []
        var bySubject: [Subject: [ProbeResult]] = [:]
        for result in results {
            let subject = Subject(name: result.subject, service: result.service)
            if bySubject[subject] == nil { order.append(subject) }
            bySubject[subject, default: []].append(result)
        }
        let found = order.flatMap { subject in
            let results = bySubject[subject] ?? []
            return FindingGroup.groups(results).filter { $0.severity != .note }.map { (subject, results, $0) }
        }
        let groups = Dictionary(grouping: found.map { $0.2 }, by: \.code).sorted { $0.key < $1.key }
        let rules = groups.map { SARIFRule.rule($0, of: $1, by: tool) }
        var seen: [String: Int] = [:]
        log = SARIFLog(
            driver: .init(name: tool.name, version: tool.version, semanticVersion: tool.version, rules: rules),
            results: found.map { subject, results, group in
                let identity = [subject.name, subject.service ?? "", group.stage.rawValue, group.code]
                    .joined(separator: "\n")
                seen[identity, default: 0] += 1
                return Self.result(
                    group, subject, results, index: rules.firstIndex { $0.id == group.code } ?? 0,
                    fingerprint: PinDigest.sha256(of: Array("\(identity)\n\(seen[identity] ?? 1)".utf8)).hex,
                    source: source)
            })
    }

    /// The document, on one line and without a line break at its end.
    public var json: String { JSONText.line(log) }

    private struct Subject: Hashable {
        let name: String
        let service: String?
    }

    private static func result(
        _ group: FindingGroup, _ subject: Subject, _ results: [ProbeResult], index: Int, fingerprint: String,
        source: SARIFSource?
    ) -> SARIFLog.Result {
        let evidence = results.first?.evidence
        let place = source.map { source in
            SARIFLog.PhysicalLocation(
                artifactLocation: .init(uri: source.uri, uriBaseId: source.isInRepository ? "%SRCROOT%" : nil),
                region: .init(startLine: source.line(naming: subject.name, service: subject.service)))
        }
        let scheme = evidence?.connection == nil ? "dns" : "tls"
        return SARIFLog.Result(
            ruleId: group.code, ruleIndex: index, level: group.severity.rawValue,
            message: .init(text: text(group, subject, of: results.count)),
            locations: [
                .init(
                    physicalLocation: place,
                    logicalLocations: [
                        .init(name: subject.name, fullyQualifiedName: "\(scheme)://\(subject.name)", kind: "resource")
                    ])
            ],
            // Code scanning takes the first; neither depends on what varies, like times or backends.
            partialFingerprints: ["primaryLocationLineHash": "\(fingerprint.prefix(16)):1", "finding/v1": fingerprint],
            properties: .init(
                outcome: (group.outcome ?? .passWithWarnings).rawValue, service: subject.service,
                backends: group.backends))
    }

    private static func text(_ group: FindingGroup, _ subject: Subject, of all: Int) -> String {
        let wordings = group.wordings.map { wording in
            wording.backends.count == all
                ? wording.message : "\(wording.backends.joined(separator: ", ")): \(wording.message)"
        }
        return "\(subject.name): \(wordings.joined(separator: "; ")). Fix: \(group.fix)"
    }
}
