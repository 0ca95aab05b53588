import FoundationXML
import ProbeKit

/// Results as JUnit XML: a suite for each target, a case for each backend.
struct JUnitReport {
    private let results: [ProbeResult]

    init(_ results: [ProbeResult]) {
        self.results = results
    }

    var xml: String {
        let root = XMLElement(name: "testsuites")
        set(["name": "probe"], on: root)
        var subjects: [String] = []
        for result in results where !subjects.contains(result.subject) { subjects.append(result.subject) }
        for subject in subjects {
            root.addChild(suite(subject, results.filter { $0.subject == subject }))
        }
        let document = XMLDocument(rootElement: root)
        document.version = "1.0"
        document.characterEncoding = "UTF-8"
        return document.xmlString(options: .nodePrettyPrint)
    }

    private func suite(_ subject: String, _ results: [ProbeResult]) -> XMLElement {
        let suite = XMLElement(name: "testsuite")
        let failures = results.count { !$0.verdict.outcome.isPass && $0.verdict.outcome != .internalError }
        let errors = results.count { $0.verdict.outcome == .internalError }
        set(
            ["name": subject, "tests": "\(results.count)", "failures": "\(failures)", "errors": "\(errors)"], on: suite)
        for result in results { suite.addChild(testCase(result)) }
        return suite
    }

    private func testCase(_ result: ProbeResult) -> XMLElement {
        let element = XMLElement(name: "testcase")
        let names = [result.evidence.connection?.transport.name, result.evidence.model?.resolver.name]
        let timings = result.evidence.connection?.report.timings
        let seconds = [timings?.connect, timings?.handshake].compactMap(\.self).reduce(.zero, +).inSeconds
        set(
            [
                "name": names.compactMap(\.self).joined(separator: "+"), "classname": result.subject,
                "time": "\(seconds)",
            ],
            on: element)
        if let finding = result.verdict.decidingFinding {
            let kind = result.verdict.outcome == .internalError ? "error" : "failure"
            let failure = XMLElement(name: kind, stringValue: "\(finding.message)\nto mend it: \(finding.fix)")
            set(
                ["type": result.verdict.outcome.rawValue, "message": "\(finding.code): \(finding.message)"], on: failure
            )
            element.addChild(failure)
        }
        let warnings = result.verdict.findings.filter { $0.severity == .warning }
        if !warnings.isEmpty {
            let text = warnings.map { "\($0.code): \($0.message)" }.joined(separator: "\n")
            element.addChild(XMLElement(name: "system-out", stringValue: text))
        }
        return element
    }

    private func set(_ attributes: KeyValuePairs<String, String>, on element: XMLElement) {
        for (name, value) in attributes {
            let attribute = XMLNode(kind: .attribute)
            attribute.name = name
            attribute.stringValue = value
            element.addAttribute(attribute)
        }
    }
}
