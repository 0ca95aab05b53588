import Foundation
import ProbeKit
import ProbeRun

/// Results that nobody had to probe for.
enum GivenResult {
    /// Returns the result of a backend that has nothing to show but findings.
    static func of(_ transport: String, _ findings: [Finding], service: String? = nil) -> ProbeResult {
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: transport, library: "none", version: "0"), report: HandshakeReport(),
            missing: [], certificates: [], referenceTrust: nil, anchors: .none,
            instant: Date(timeIntervalSince1970: 1_750_000_000))
        return ProbeResult(
            subject: "good.test:443", service: service, evidence: Evidence(connection: connection, model: nil),
            verdict: Verdict(findings))
    }
}
