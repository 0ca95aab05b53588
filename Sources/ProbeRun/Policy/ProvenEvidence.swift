public import ProbeKit
public import ProbePlatform

/// Policies about what a server presents, which count only as far as the server has proved it.
///
/// Until a handshake is complete, anyone on the path may have sent or changed what was seen. If it fails earlier, the
/// failure decides, and the findings of these policies are shown beside it as warnings. Two kinds of error remain
/// errors: one of our own (`internal-error`), and bytes that were decoded in two ways, whoever sent them
/// (`readings-disagree`).
public struct ProvenEvidence: Policy {
    private let parts: [any Policy]

    /// Creates a policy of others, in order.
    public init(@PolicyBuilder _ parts: () -> [any Policy]) {
        self.parts = parts()
    }

    /// Returns the findings of the policies; those that depend on unproven evidence are marked and fail nothing.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        let isProven = evidence.connection?.report.isProven ?? true
        return parts.flatMap { part in
            let findings = part.judge(evidence, at: instant)
            // Facts known before anything was sent need no proof.
            return isProven || part is Announced ? findings : findings.map(\.unproven)
        }
    }
}

extension Finding {
    /// The finding, if the handshake that it depends on did not complete.
    fileprivate var unproven: Finding {
        guard outcome != .internalError else { return self }
        let message = "unproven, since the handshake did not complete: \(message)"
        return switch (severity, outcome) {
        case (.error, .readingsDisagree?): .error(.readingsDisagree, code: code, stage: stage, message, fix: remedy)
        case (.note, _): .note(code, stage: stage, message, fix: remedy)
        default: .warning(code, stage: stage, message, fix: remedy)
        }
    }
}
