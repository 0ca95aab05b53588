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
    public private(set) var verdict: Verdict
    /// The number of times that was asked for it; this is the last answer.
    public package(set) var tries = 1
    /// The part of the target's addresses that it is about; nil is all of them.
    public private(set) var part: AddressPart?
    /// The endpoint that was dialled, where a part has a verdict of its own or records were followed; nil if there was no
    /// address.
    public private(set) var dialled: Endpoint?
    /// The records that led there, in order.
    package private(set) var followed: [FollowedRecords] = []

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

    /// Returns the same result with another verdict.
    package func judged(_ verdict: Verdict) -> ProbeResult {
        var result = self
        result.verdict = verdict
        return result
    }

    /// Returns the same result, with the part of the addresses that its check is about, and the records that led to them.
    package func about(_ check: Check) -> ProbeResult {
        guard check.part != nil || check.course != nil else { return self }
        var result = self
        result.part = check.part
        result.followed = check.course?.steps ?? []
        guard check.route.absence == nil else { return result }
        result.dialled = (evidence.connection?.attempts.last?.target ?? check.target).endpoint
        return result
    }
}
