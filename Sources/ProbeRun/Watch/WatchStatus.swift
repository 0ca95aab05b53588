package import ProbeKit

/// The status of a subject, reduced to what is worth reporting.
///
/// Of transient failures only the side counts: a restarting server refuses, resets and times out in turn.
package struct WatchStatus: Equatable {
    let outcome: Outcome
    let outcomeClass: OutcomeClass
    let code: String?

    init(_ verdict: Verdict) {
        outcome = verdict.outcome
        outcomeClass = verdict.outcomeClass
        code = verdict.decidingFinding?.code
    }

    /// Creates the status of a verdict of which these parts were kept.
    ///
    /// - Parameters:
    ///   - code: the deciding finding's.
    ///   - outcomeClass: the verdict's; nil for that of outcome and code.
    package init(_ outcome: Outcome, code: String?, class outcomeClass: OutcomeClass?) {
        self.outcome = outcome
        self.code = code
        self.outcomeClass = outcomeClass ?? OutcomeClass(outcome, code: code)
    }

    /// The outcome that stands for all transient ones of the same side: the list's, our own or the server's.
    private var side: Outcome {
        switch outcome {
        case .dnsIndeterminate, .localOverload: outcome
        default: .unreachable
        }
    }

    package static func == (left: WatchStatus, right: WatchStatus) -> Bool {
        guard left.outcomeClass == .transient, right.outcomeClass == .transient else {
            return left.outcome == right.outcome && left.code == right.code
        }
        return left.side == right.side
    }
}
