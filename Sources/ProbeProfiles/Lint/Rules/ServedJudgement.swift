import ProbeKit
import ProbePins
import ProbePlatform

/// The judgement of a service's sets by the policy of checks, with the server's clock taken to agree with ours.
struct ServedJudgement {
    /// The part of a check's finding about a set that decides whether its pins are of anything served.
    enum Verdict: Hashable {
        /// A pin matches, or the set has expired.
        case passes
        /// None matches, and the transition window tolerates that.
        case tolerated
        /// None matches, with the severity of that.
        case fails(Finding.Severity)

        /// The severity of a failure; nil for anything else.
        var severity: Finding.Severity? { if case .fails(let severity) = self { severity } else { nil } }
    }

    private let verdicts: [PinSet: Verdict]

    init(_ service: LintSubject.PlacedService, _ connection: ConnectionEvidence, at instant: Date) {
        let isEnforced = service.environment.pinning == .enforce
        let sets = service.sets.map { (set: $0, group: $0.group(isEnforced: isEnforced)) }
        // One finding for each group, keys first.
        let ordered = sets.filter(\.group.pinsKeys) + sets.filter { !$0.group.pinsKeys }
        let evidence = Evidence(connection: connection.atOurTime(instant), model: nil)
        let findings = PinsMatch(ordered.map(\.group)).judge(evidence, at: instant)
        verdicts = Dictionary(
            zip(ordered, findings).map { ($0.set, Self.verdict($1, on: $0.group, at: instant)) },
            uniquingKeysWith: { first, _ in first })
    }

    /// The judgement of one of the service's sets.
    subscript(set: PinSet) -> Verdict { verdicts[set] ?? .passes }

    private static func verdict(_ finding: Finding, on group: PinGroup, at instant: Date) -> Verdict {
        switch finding.code {
        case "transition": return .tolerated
        case "pin-matched", "pin-not-validated": return .passes
        // The date is what is wrong with it, whatever is served.
        case "pins-expired" where group.expiry.map({ instant > $0.last }) ?? false: return .passes
        default: return .fails(finding.severity)
        }
    }
}

extension ConnectionEvidence {
    /// Returns the same evidence of a server whose clock agrees with ours at an instant.
    fileprivate func atOurTime(_ instant: Date) -> ConnectionEvidence {
        ConnectionEvidence(
            transport: transport, report: report, missing: missing, certificates: certificates,
            referenceTrust: referenceTrust, further: further, anchors: anchors, instant: instant,
            serverTime: .known(instant, skew: 0))
    }
}
