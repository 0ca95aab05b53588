import ProbeKit
import ProbeRun

/// Results as JUnit XML: a suite for each target, a case for each backend.
struct JUnitReport {
    private let results: [ProbeResult]

    init(_ results: [ProbeResult]) {
        self.results = results
    }

    var xml: String {
        var subjects: [String] = []
        for result in results where !subjects.contains(result.subject) { subjects.append(result.subject) }
        let suites = subjects.map { subject in
            JUnitDocument.Suite(name: subject, cases: results.filter { $0.subject == subject }.map(testCase))
        }
        return JUnitDocument(name: "probe", suites: suites).xml
    }

    private func testCase(_ result: ProbeResult) -> JUnitDocument.Case {
        let names = [result.evidence.connection?.transport.name, result.evidence.model?.resolver.name]
        let timings = result.evidence.connection?.report.timings
        let connection = [timings?.connect, timings?.handshake].compactMap(\.self).reduce(.zero, +)
        let warnings = result.verdict.findings.filter { $0.severity == .warning }
        return JUnitDocument.Case(
            name: names.compactMap(\.self).joined(separator: "+"), group: result.subject,
            // DNS is asked while the connection is made.
            seconds: max(connection, result.evidence.model?.duration ?? .zero).inSeconds,
            problem: result.verdict.decidingFinding.map { finding in
                .init(
                    isError: result.verdict.outcome == .internalError, type: result.verdict.outcome.rawValue,
                    message: "\(finding.code): \(finding.message)",
                    text: "\(finding.message)\nfix: \(finding.fix)")
            },
            notes: warnings.map { "\($0.code): \($0.message)" }.joined(separator: "\n"))
    }
}
