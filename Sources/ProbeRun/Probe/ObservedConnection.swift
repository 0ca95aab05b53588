import ProbeKit

/// The evidence of one connection, and the findings about it alone: judged once, whoever asks.
///
/// It is an object for the reason that an ``Observation`` is one.
final class ObservedConnection: Sendable {
    let check: Check
    let evidence: ConnectionEvidence
    private let judged: Once<[Finding]>

    init(_ check: Check, _ evidence: ConnectionEvidence, judged: Once<[Finding]> = Once()) {
        self.check = check
        self.evidence = evidence
        self.judged = judged
    }

    /// The findings of the policies for the connection.
    var findings: [Finding] { judged.value { check.findings(about: evidence) } }

    /// Returns the same connection as part of a check with alternates, which judges it alike.
    func standing(for check: Check) -> ObservedConnection {
        ObservedConnection(check, evidence, judged: judged)
    }

    /// True if the connection alone passes.
    var passes: Bool { Verdict(findings).outcome.isPass }
}

extension Check {
    /// Returns the findings of the policies for one connection.
    func findings(about connection: ConnectionEvidence) -> [Finding] {
        WorkCounter.note(.connectionVerdict)
        return connectionPolicy.judge(Evidence(connection: connection, model: nil), at: connection.instant)
    }
}
