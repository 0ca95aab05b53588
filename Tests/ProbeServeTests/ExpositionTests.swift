import Testing

@testable import ProbeServe

/// The texts that Prometheus scrapes.
@Suite struct ExpositionTests {
    private static let metrics = {
        var metrics = MetricSet()
        metrics.add("z_bytes", "Last by name.", value: 1.5)
        metrics.add("a_info", "A \\ and\na \"break\".", ["first": "a\\b\"c\nd", "left_out": nil], holds: true)
        metrics.add(counter: "m_total", "Counted.", ["kind": ""], value: 12_345_678_901)
        return metrics
    }()

    @Test func textIsEscaped() {
        #expect(
            Exposition.text.text(Self.metrics) == #"""
                # HELP a_info A \\ and\na "break".
                # TYPE a_info gauge
                a_info{first="a\\b\"c\nd"} 1
                # HELP m_total Counted.
                # TYPE m_total counter
                m_total{kind=""} 12345678901
                # HELP z_bytes Last by name.
                # TYPE z_bytes gauge
                z_bytes 1.5

                """#)
    }

    @Test("OpenMetrics names counters without their ending, and has an end") func openMetrics() {
        #expect(
            Exposition.openMetrics.text(Self.metrics) == #"""
                # HELP a_info A \\ and\na \"break\".
                # TYPE a_info gauge
                a_info{first="a\\b\"c\nd"} 1
                # HELP m Counted.
                # TYPE m counter
                m_total{kind=""} 12345678901
                # HELP z_bytes Last by name.
                # TYPE z_bytes gauge
                z_bytes 1.5
                # EOF

                """#)
    }

    @Test("a quote ends a label, and is escaped, whatever mark follows it") func markedQuotes() {
        var metrics = MetricSet()
        metrics.add("x", "X.", ["subject": "CN=a\"\u{301} b\\\u{301}\n\u{301}"], value: 1)
        let line = "x{subject=\"CN=a\\\"\u{301} b\\\\\u{301}\\n\u{301}\"} 1\n"
        #expect(Array(Exposition.text.text(metrics).utf8.suffix(line.utf8.count)) == Array(line.utf8))
    }

    @Test("what fails once does not hold, and of other samples the first counts") func sameLabels() {
        var metrics = MetricSet()
        for value in [true, false, true] { metrics.add("holds", "H.", ["of": "a"], holds: value) }
        for value in [2, 1, 3] { metrics.add("number", "N.", ["of": "a"], value: Double(value)) }
        let lines = Exposition.text.text(metrics).split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(lines == [#"holds{of="a"} 0"#, #"number{of="a"} 2"#])
    }

    @Test func oddNumbersHaveTheirNames() {
        for (value, text) in [
            (Double.nan, "NaN"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (-0.25, "-0.25"), (1e300, "1e+300"),
        ] {
            var metrics = MetricSet()
            metrics.add("x", "X.", value: value)
            #expect(Exposition.text.text(metrics).hasSuffix("\nx \(text)\n"))
        }
    }

    @Test("two samples with the same labels are one") func samplesAreUnique() {
        var metrics = MetricSet()
        metrics.add("x", "X.", ["a": "1"], value: 1)
        metrics.add("x", "X.", ["a": "1"], value: 2)
        metrics.add("x", "X.", ["a": "2"], value: 3)
        #expect(metrics.families.map(\.samples.count) == [2])
    }

    @Test(arguments: [
        (nil, Exposition.text), ("", .text), ("*/*", .text), ("text/html", .text),
        ("application/openmetrics-text", .openMetrics),
        (
            "application/openmetrics-text;version=1.0.0,application/openmetrics-text;version=0.0.1;q=0.75,text/plain;version=0.0.4;q=0.5,*/*;q=0.1",
            .openMetrics
        ),
        ("application/openmetrics-text; version=1.0.0; q=0.3, text/plain; version=0.0.4; q=0.5", .text),
        ("application/openmetrics-text;version=\"1.0.0\"", .openMetrics),
        ("application/openmetrics-text;version=2.0.0", .text), ("application/openmetrics-text;q=0", .text),
    ])
    func theScraperChooses(accept: String?, expected: Exposition) {
        #expect(Exposition(accept: accept) == expected)
    }
}
