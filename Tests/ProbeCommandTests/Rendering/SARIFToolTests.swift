import Foundation
import ProbeKit
import ProbeReport
import ProbeRun
import Testing

@testable import ProbeCommand

/// The command's own words in a SARIF log.
@Suite struct SARIFToolTests {
    @Test func theAdviceNamesOptions() throws {
        let findings = SARIFTool.probe.advice.keys.sorted().map {
            Finding.error(.handshakeFailed, code: $0, stage: .tls, "m", fix: "f")
        }
        let result = ProbeResult(
            subject: "a:443", evidence: Evidence(connection: nil, model: nil), verdict: Verdict(findings))
        let json = SARIFReport([result], source: nil, tool: .probe).json
        let log = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        let run = try #require((log["runs"] as? [[String: Any]])?.first)
        let driver = try #require((run["tool"] as? [String: Any])?["driver"] as? [String: Any])
        #expect(driver["name"] as? String == "probe" && driver["version"] as? String == ProbeVersion.current)
        let rules = try #require(driver["rules"] as? [[String: Any]])
        let helps = rules.compactMap { ($0["help"] as? [String: String])?["text"] }
        #expect(
            helps == [
                "The port does not speak TLS. Name the port that does, or the protocol that starts it, with --starttls. Run 'probe check --verbose' on the host for the evidence.",
                "The proxy could not be reached, or did not complete TLS in time. Check the URL of --proxy, and that the proxy runs. Run 'probe check --verbose' on the host for the evidence.",
            ])
    }
}
