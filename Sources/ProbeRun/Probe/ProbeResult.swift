public import ProbeKit

/// One target judged through one transport and one resolver.
public struct ProbeResult: Sendable {
    /// The subject as displayed: `name:port`, or the DNS name for a model check alone.
    public let subject: String
    /// The name a profile gives it; nil if it was named on the command line.
    public let service: String?
    /// The verifier whose trust decision counted.
    public let trust: TrustMode
    /// The evidence behind the verdict.
    public let evidence: Evidence
    /// The verdict.
    public let verdict: Verdict
    /// The number of times that was asked for it; this is the last answer.
    public package(set) var tries = 1
    /// The part of the target's addresses that it is about; nil is all of them.
    public private(set) var part: AddressPart?
    /// The endpoint that was dialled, where a part has a verdict of its own; nil if it has no address.
    public private(set) var dialled: Endpoint?

    /// Creates a result.
    public init(
        subject: String, service: String? = nil, trust: TrustMode = .both, evidence: Evidence, verdict: Verdict
    ) {
        self.subject = subject
        self.service = service
        self.trust = trust
        self.evidence = evidence
        self.verdict = verdict
    }

    /// Returns the same result, with the part of the addresses that its check is about.
    package func about(_ check: Check) -> ProbeResult {
        guard let part = check.part else { return self }
        var result = self
        result.part = part
        if case .absent = check.route { return result }
        result.dialled = (evidence.connection?.attempts.last?.target ?? check.target).endpoint
        return result
    }
}
