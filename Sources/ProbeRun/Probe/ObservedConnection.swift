import ProbeKit

/// The evidence of one connection, and the findings about it alone: judged once, whoever asks.
///
/// It is an object for the reason that an ``Observation`` is one.
final class ObservedConnection: Sendable {
    /// The check that it is part of.
    let check: Check
    let evidence: ConnectionEvidence
    /// The check of its own target, which judges it: a mail host has TLSA records of its own.
    private let own: Check
    private let judged: Once<[Finding]>

    convenience init(_ check: Check, _ evidence: ConnectionEvidence) {
        self.init(check, evidence, own: check, judged: Once())
    }

    private init(_ check: Check, _ evidence: ConnectionEvidence, own: Check, judged: Once<[Finding]>) {
        self.check = check
        self.evidence = evidence
        self.own = own
        self.judged = judged
    }

    /// The findings of the policies for the connection.
    var findings: [Finding] { judged.value { own.findings(about: evidence) } }

    /// Returns the findings of all policies, of which some may look at the connection and an allow-list.
    func findings(with model: ModelEvidence?) -> [Finding] {
        WorkCounter.note(.connectionVerdict)
        return own.policy.judge(Evidence(connection: evidence, model: model), at: evidence.instant)
    }

    /// Returns the same connection as part of a check with alternates, which judges it alike.
    func standing(for check: Check) -> ObservedConnection {
        ObservedConnection(check, evidence, own: own, judged: judged)
    }

    /// Returns the same connection as the last of several that brought no answer.
    func ending(_ attempts: [ConnectionAttempt]) -> ObservedConnection {
        var evidence = evidence
        evidence.attempts = attempts
        return ObservedConnection(check, evidence, own: own, judged: Once())
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
