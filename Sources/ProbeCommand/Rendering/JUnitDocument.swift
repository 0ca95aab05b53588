import FoundationXML
import ProbeKit
import ProbeProfiles

/// JUnit XML of any content: suites, cases, and what was wrong with them.
struct JUnitDocument {
    /// One test.
    struct Case {
        /// The failure of a test.
        struct Problem {
            /// True if the test found nothing out, rather than something bad.
            let isError: Bool
            let type: String
            let message: String
            let text: String
        }

        let name: String
        let group: String
        let seconds: Double
        let problem: Problem?
        /// The notes of a test that passes.
        let notes: String
    }

    /// Tests under one name.
    struct Suite {
        let name: String
        let cases: [Case]
    }

    let name: String
    let suites: [Suite]

    var xml: String {
        let root = XMLElement(name: "testsuites")
        set(["name": name], on: root)
        for suite in suites { root.addChild(element(suite)) }
        return root.documentText
    }

    private func element(_ suite: Suite) -> XMLElement {
        let element = XMLElement(name: "testsuite")
        let problems = suite.cases.compactMap(\.problem)
        set(
            [
                "name": suite.name, "tests": "\(suite.cases.count)",
                "failures": "\(problems.count { !$0.isError })", "errors": "\(problems.count(where: \.isError))",
            ], on: element)
        for test in suite.cases { element.addChild(self.element(test)) }
        return element
    }

    private func element(_ test: Case) -> XMLElement {
        let element = XMLElement(name: "testcase")
        set(["name": test.name, "classname": test.group, "time": "\(test.seconds)"], on: element)
        if let problem = test.problem {
            let failure = XMLElement(name: problem.isError ? "error" : "failure", stringValue: printable(problem.text))
            set(["type": problem.type, "message": problem.message], on: failure)
            element.addChild(failure)
        }
        if !test.notes.isEmpty {
            element.addChild(XMLElement(name: "system-out", stringValue: printable(test.notes)))
        }
        return element
    }

    private func set(_ attributes: KeyValuePairs<String, String>, on element: XMLElement) {
        for (name, value) in attributes {
            let attribute = XMLNode(kind: .attribute)
            attribute.name = name
            attribute.stringValue = PrintableText.escape(value)
            element.addAttribute(attribute)
        }
    }

    /// Returns the text escaped for XML 1.0, which can't contain most control characters; line breaks are ours.
    private func printable(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { PrintableText.escape(String($0)) }
            .joined(separator: "\n")
    }
}
