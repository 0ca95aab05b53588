import Testing

@testable import ProbeReport

/// The bytes of JUnit XML, and that a reader gets out of them what went in.
@Suite struct JUnitDocumentTests {
    private static func document(_ text: String) -> JUnitDocument {
        JUnitDocument(
            name: text,
            suites: [
                .init(
                    name: "one",
                    cases: [
                        .init(
                            name: text, group: "g", seconds: 0.5,
                            problem: .init(isError: false, type: "t", message: text, text: text), notes: text)
                    ])
            ])
    }

    @Test func bytes() {
        let document = JUnitDocument(
            name: "probe",
            suites: [
                .init(name: "none", cases: []),
                .init(
                    name: "é",
                    cases: [
                        .init(name: "a", group: "\"g\"", seconds: 0, problem: nil, notes: ""),
                        .init(
                            name: "b", group: "g", seconds: 1.5,
                            problem: .init(isError: true, type: "t", message: "m", text: "é < 1\nfix: \"it\""),
                            notes: "seen"),
                    ]),
            ])
        #expect(
            document.xml == """
                <?xml version="1.0" encoding="UTF-8"?>
                <testsuites name="probe">
                  <testsuite name="none" tests="0" failures="0" errors="0"></testsuite>
                  <testsuite name="&#xE9;" tests="2" failures="0" errors="1">
                    <testcase name="a" classname="&quot;g&quot;" time="0.0"></testcase>
                    <testcase name="b" classname="g" time="1.5">
                      <error type="t" message="m">é &lt; 1
                fix: "it"</error>
                      <system-out>seen</system-out>
                    </testcase>
                  </testsuite>
                </testsuites>

                """)
        #expect(
            JUnitDocument(name: "", suites: []).xml
                == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"\"></testsuites>\n")
    }

    @Test(
        "a reader gets every text back, with escapes where XML has no such character",
        arguments: [
            ("&amp; <b> ]]> 'a' \"b\"", nil), ("é 日本 👩‍👩‍👧", "é 日本 👩\\u{200d}👩\\u{200d}👧"), ("<\u{338}\"\u{301}", nil),
            ("\u{0}\u{1b}[31m\u{202e}", "\\u{0}\\u{1b}[31m\\u{202e}"), ("\u{fffe}\u{2028}", "\\u{fffe}\\u{2028}"),
        ] as [(String, String?)])
    func readBack(text: String, shown: String?) throws {
        let root = try ReadXML.root(of: Self.document(text).xml)
        let shown = Array((shown ?? text).unicodeScalars)
        let test = try #require(root.elements("testsuite").first?.elements("testcase").first)
        let failure = try #require(test.elements("failure").first)
        let texts = [
            root.attributes["name"], test.attributes["name"], failure.attributes["message"], failure.text,
            test.elements("system-out").first?.text,
        ]
        #expect(texts.allSatisfy { $0.map { Array($0.unicodeScalars) } == shown }, "\(texts)")
    }
}
