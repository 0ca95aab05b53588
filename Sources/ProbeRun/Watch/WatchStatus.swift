import ProbeKit

/// What a subject came to, as far as a change of it is worth telling.
///
/// Of failures that go by themselves only the side counts: a server that starts anew refuses, resets and is late in turn.
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
