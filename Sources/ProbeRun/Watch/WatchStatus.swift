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

    /// The outcome that stands for all transient ones of the same side: the list's, our own or the server's.
    private var side: Outcome {
        switch outcome {
        case .dnsIndeterminate, .localOverload: outcome
        default: .unreachable
        }
    }

    static func == (left: WatchStatus, right: WatchStatus) -> Bool {
        guard left.outcomeClass == .transient, right.outcomeClass == .transient else {
            return left.outcome == right.outcome && left.code == right.code
        }
        return left.side == right.side
    }
}
