import ProbeKit

/// The status of a subject, reduced to what is worth reporting.
///
/// Of transient failures only the side counts: a restarting server refuses, resets and times out in turn.
struct WatchStatus: Equatable {
    let outcome: Outcome
    let outcomeClass: OutcomeClass
    let code: String?

    init(_ verdict: Verdict) {
        outcome = verdict.outcome
        outcomeClass = verdict.outcomeClass
        code = verdict.decidingFinding?.code
    }

    static func == (left: WatchStatus, right: WatchStatus) -> Bool {
        guard left.outcomeClass == .transient, right.outcomeClass == .transient else {
            return left.outcome == right.outcome && left.code == right.code
        }
        return (left.outcome == .dnsIndeterminate) == (right.outcome == .dnsIndeterminate)
    }
}
