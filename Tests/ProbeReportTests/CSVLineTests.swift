import ProbeKit
import ProbeReport
import ProbeRun
import Testing

@Suite struct CSVLineTests {
    @Test(
        "values with commas, quotes and line breaks are quoted, and others are not",
        arguments: [
            (["a", "b c"], "a,b c"), (["a,b", ""], "\"a,b\","), (["say \"x\""], "\"say \"\"x\"\"\""),
            (["a\nb", "c\rd"], "\"a\nb\",\"c\rd\""), (["é"], "é"),
        ])
    func quoting(values: [String], text: String) { #expect(CSVLine.text(values) == text) }

    @Test("a mark after a quote, or after a sign of HTML, hides it from nobody") func markedQuotes() {
        #expect(Array(CSVLine.text(["a\"\u{301}b"]).utf8) == Array("\"a\"\"\u{301}b\"".utf8))
        #expect(Array(HTMLText.escape("<\u{338}b\"\u{301}").utf8) == Array("&lt;\u{338}b&quot;\u{301}".utf8))
    }

    @Test("no column is named twice, and names are plain") func columns() {
        #expect(Set(CSVLine.columns).count == CSVLine.columns.count)
        #expect(CSVLine.columns.allSatisfy { $0.wholeMatch(of: #/[a-z][a-z0-9_]*/#) != nil })
        #expect(CSVLine.header == CSVLine.columns.joined(separator: ","))
    }

    /// A stack that gave no decision refused nothing.
    @Test func aDecisionThatWasNotGivenIsNotShownAsOne() {
        var report = HandshakeReport()
        report.nativeTrust = .unanswered("it hung")
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "nio", library: "none", version: "0"), report: report, missing: [],
            certificates: [], referenceTrust: nil, anchors: .none, instant: GivenResult.instant)
        let result = ProbeResult(
            subject: "good.test:443", evidence: Evidence(connection: connection, model: nil), verdict: Verdict([]))
        let columns = Dictionary(uniqueKeysWithValues: zip(CSVLine.columns, CSVLine(result).values))
        #expect(columns["native_trust"] == "")
        #expect(ReportLine(result).json.contains("\"native\":null"))
    }

    /// A profile names its services as it likes, and records are read in a terminal too.
    @Test func aServicesNameHasNoControlCharacters() {
        let named = GivenResult.of("nio", [], service: "a\u{1b}[2Jb")
        let columns = Dictionary(uniqueKeysWithValues: zip(CSVLine.columns, CSVLine(named).values))
        #expect(columns["service"] == "a\\u{1b}[2Jb")
    }

    /// A CI that fails on warnings reads why.
    @Test func aWarningIsInCSV() {
        let warned = GivenResult.of("nio", [.warning("no-scts", stage: .trust, "none", fix: "log it")])
        let columns = Dictionary(uniqueKeysWithValues: zip(CSVLine.columns, CSVLine(warned).values))
        #expect(columns["outcome"] == "pass-with-warnings" && columns["exit_code"] == "0")
        #expect(columns["stage"] == "trust" && columns["code"] == "no-scts" && columns["fix"] == "log it")
    }
}
