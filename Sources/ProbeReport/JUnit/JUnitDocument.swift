import ProbeKit

/// JUnit XML of any content: suites, cases, and what was wrong with them.
package struct JUnitDocument: Sendable {
    /// One test.
    package struct Case: Sendable {
        /// The failure of a test.
        package struct Problem: Sendable {
            /// True if the test found nothing out, rather than something bad.
            let isError: Bool
            let type: String
            let message: String
            let text: String

            /// Creates the failure of a test, or with `isError` the reason why it found nothing out.
            package init(isError: Bool, type: String, message: String, text: String) {
                self.isError = isError
                self.type = type
                self.message = message
                self.text = text
            }
        }

        let name: String
        let group: String
        let seconds: Double
        let problem: Problem?
        /// The notes of a test that passes.
        let notes: String

        /// Creates a test, which passes if it has no problem.
        package init(name: String, group: String, seconds: Double, problem: Problem?, notes: String) {
            self.name = name
            self.group = group
            self.seconds = seconds
            self.problem = problem
            self.notes = notes
        }
    }

    /// Tests under one name.
    package struct Suite: Sendable {
        let name: String
        let cases: [Case]

        /// Creates a suite of tests.
        package init(name: String, cases: [Case]) {
            self.name = name
            self.cases = cases
        }
    }

    private let name: String
    private let suites: [Suite]

    /// Creates a document.
    package init(name: String, suites: [Suite]) {
        self.name = name
        self.suites = suites
    }

    /// The document, indented, with a line break at its end.
    package var xml: String {
        (["<?xml version=\"1.0\" encoding=\"UTF-8\"?>"]
            + element("testsuites", ["name": name], around: suites.flatMap(element))
            + [""]).joined(separator: "\n")
    }

    private func element(_ suite: Suite) -> [String] {
        let problems = suite.cases.compactMap(\.problem)
        return element(
            "testsuite",
            [
                "name": suite.name, "tests": "\(suite.cases.count)",
                "failures": "\(problems.count { !$0.isError })", "errors": "\(problems.count(where: \.isError))",
            ], around: suite.cases.flatMap(element))
    }

    private func element(_ test: Case) -> [String] {
        var children: [String] = []
        if let problem = test.problem {
            children.append(
                element(
                    problem.isError ? "error" : "failure", ["type": problem.type, "message": problem.message],
                    of: problem.text))
        }
        if !test.notes.isEmpty { children.append(element("system-out", [:], of: test.notes)) }
        return element(
            "testcase", ["name": test.name, "classname": test.group, "time": "\(test.seconds)"], around: children)
    }

    /// Returns the lines of an element around those of others.
    private func element(
        _ name: String, _ attributes: KeyValuePairs<String, String>, around children: [String]
    ) -> [String] {
        guard !children.isEmpty else { return [element(name, attributes, of: "")] }
        return [start(name, attributes)] + children.map { "  " + $0 } + ["</\(name)>"]
    }

    /// Returns an element with a text, as one line: those of the text are never indented.
    private func element(_ name: String, _ attributes: KeyValuePairs<String, String>, of text: String) -> String {
        "\(start(name, attributes))\(XMLText.content(printable(text)))</\(name)>"
    }

    private func start(_ name: String, _ attributes: KeyValuePairs<String, String>) -> String {
        "<\(name)\(attributes.map { " \($0)=\"\(XMLText.attribute($1))\"" }.joined())>"
    }

    /// Returns the text escaped for XML 1.0, which can't contain most control characters; line breaks are ours.
    private func printable(_ text: String) -> String {
        text.split(separator: "\n", omittingEmptySubsequences: false).map { PrintableText.escape(String($0)) }
            .joined(separator: "\n")
    }
}
