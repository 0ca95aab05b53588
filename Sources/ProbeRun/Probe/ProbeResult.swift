public import ProbeKit

/// One target judged through one transport and one resolver.
public struct ProbeResult: Sendable {
    /// What was probed, as it is shown: `name:port`, or the DNS name of a model check alone.
    public let subject: String
    /// What a profile calls it; nil where it was named on the command line.
    public let service: String?
    /// Whose trust decision counted.
    public let trust: TrustMode
    /// What the verdict rests on.
    public let evidence: Evidence
    /// What it came to.
    public let verdict: Verdict

    /// A result of its parts.
    public init(
        subject: String, service: String? = nil, trust: TrustMode = .both, evidence: Evidence, verdict: Verdict
    ) {
        self.subject = subject
        self.service = service
        self.trust = trust
        self.evidence = evidence
        self.verdict = verdict
    }
}
