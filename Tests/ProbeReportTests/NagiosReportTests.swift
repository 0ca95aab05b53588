import ProbeKit
import ProbeRun
import Testing

@testable import ProbeReport

/// The output for Nagios and Icinga: one line, measured values behind the bar, and the code of the state.
@Suite struct NagiosReportTests {
    private func result(_ subject: String, _ findings: Finding...) -> ProbeResult {
        ProbeResult(subject: subject, evidence: Evidence(connection: nil, model: nil), verdict: Verdict(findings))
    }

    private func error(_ outcome: Outcome) -> Finding { .error(outcome, stage: .tls, "a | b", fix: "mend | it") }

    @Test("every outcome has a state; what says nothing about the server is unknown", arguments: Outcome.allCases)
    func states(outcome: Outcome) {
        let findings: [Finding] =
            switch outcome {
            case .pass: []
            case .passWithWarnings: [.warning("w", stage: .tls, "m", fix: "f")]
            default: [error(outcome)]
            }
        let report = NagiosReport([
            ProbeResult(
                subject: "a:443", evidence: Evidence(connection: nil, model: nil), verdict: Verdict(findings))
        ])
        let unknown: Set<Outcome> = [.dnsIndeterminate, .unsupported, .localOverload, .internalError]
        let expected: NagiosReport.State =
            outcome == .pass
            ? .ok : outcome == .passWithWarnings ? .warning : unknown.contains(outcome) ? .unknown : .critical
        #expect(report.state == expected)
        #expect(report.text.hasPrefix("PROBE \(expected.word) - a:443 "))
    }

    @Test("an alarm is not hidden by what is unknown, nor a warning by what passes") func worst() {
        let (pass, alarm) = (result("a:1"), result("b:1", error(.trustFailed)))
        let unknown = result("c:1", error(.unsupported))
        let warning = result("d:1", .warning("w", stage: .tls, "m", fix: "f"))
        #expect(NagiosReport([pass, alarm, unknown, warning]).state == .critical)
        #expect(NagiosReport([pass, unknown, warning]).state == .unknown)
        #expect(NagiosReport([pass, warning]).state == .warning)
        #expect(NagiosReport([]).state == .unknown)
    }

    @Test(
        "a server that does not answer is an alarm, also where DNS does not",
        arguments: [.unreachable, .handshakeFailed] as [Outcome])
    func silentServers(outcome: Outcome) {
        let dns = Finding.error(.dnsIndeterminate, stage: .dns, "a", fix: "b")
        let both = result("a:1", error(outcome), dns)
        #expect(both.verdict.outcome == .dnsIndeterminate)
        #expect(NagiosReport([both]).state == .critical)
        #expect(NagiosReport([result("a:1", dns)]).state == .unknown)
    }

    @Test("each outcome is counted for itself") func counts() {
        let results = [Outcome.trustFailed, .trustFailed, .readingsDisagree, .trustFailed].map {
            result("a:1", error($0))
        }
        #expect(
            NagiosReport(results).text.hasPrefix("PROBE CRITICAL - a:1 readings-disagree with 1 of 4, and 3 more fail"))
        #expect(NagiosReport(Array(results.prefix(2))).text.hasPrefix("PROBE CRITICAL - a:1 trust-failed with 2 of 2"))
    }

    @Test("two services of one host are apart, for Nagios and in JUnit") func services() throws {
        let results = ["web", "api"].map { name in
            ProbeResult(
                subject: "a:443", service: name, evidence: Evidence(connection: nil, model: nil),
                verdict: Verdict(name == "web" ? [error(.trustFailed)] : []))
        }
        let text = NagiosReport(results).text
        #expect(text.contains("web a:443 trust-failed with 1 of 1; api a:443 passes with 1 of 1"))
        #expect(text.contains("error web a:443, "))
        let xml = JUnitReport(results).xml
        #expect(xml.contains("classname=\"web a:443\"") && xml.contains("classname=\"api a:443\""))
    }

    @Test("the days are those of the certificate that ends first, whichever stack or address showed it") func days() {
        let results = [89, 19, 40].map { GivenResult.of("stack\($0)", [], leaf: GivenLeaf(days: $0)) }
        for order in [results, results.reversed()] {
            let text = NagiosReport(order).text
            #expect(text.contains("in 19 days |") && text.contains("'good.test:443 days'=19;;;;"), "\(text)")
        }
    }

    /// A day that has not passed whole is not counted, in words and value alike; but from the first second after the end the
    /// value is below zero, as thresholds want it.
    @Test(arguments: [
        (-1, "expired less than a day ago", -1), (-86_399, "expired less than a day ago", -1),
        (-86_400, "expired 1 day ago", -1), (-86_401, "expired 1 day ago", -1), (-172_801, "expired 2 days ago", -2),
        (0, "expires in less than a day", 0), (86_399, "expires in less than a day", 0),
        (86_400, "expires in 1 day", 1), (172_799, "expires in 1 day", 1), (172_800, "expires in 2 days", 2),
    ]) func daysAreCountedWhole(seconds: Int, words: String, value: Int) {
        let text = NagiosReport([GivenResult.of("a", [], leaf: GivenLeaf(left: Double(seconds)))]).text
        #expect(text.contains("a certificate \(words) |") && text.contains("days'=\(value);;;;"), "\(text)")
    }

    @Test("a bar in a text does not begin measured values") func bars() {
        let text = NagiosReport([result("a:1", error(.trustFailed))]).text
        #expect(!text.contains("|") && text.contains("a / b") && text.contains("fix: mend / it"))
    }
}
