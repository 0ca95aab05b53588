import ProbeReport
import Testing

@Suite struct CSVLineTests {
    @Test(
        "values with commas, quotes and line breaks are quoted, and others are not",
        arguments: [
            (["a", "b c"], "a,b c"), (["a,b", ""], "\"a,b\","), (["say \"x\""], "\"say \"\"x\"\"\""),
            (["a\nb", "c\rd"], "\"a\nb\",\"c\rd\""), (["é"], "é"),
        ])
    func quoting(values: [String], text: String) { #expect(CSVLine.text(values) == text) }

    @Test("no column is named twice, and names are plain") func columns() {
        #expect(Set(CSVLine.columns).count == CSVLine.columns.count)
        #expect(CSVLine.columns.allSatisfy { $0.wholeMatch(of: #/[a-z][a-z0-9_]*/#) != nil })
        #expect(CSVLine.header == CSVLine.columns.joined(separator: ","))
    }
}
