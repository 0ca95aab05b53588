public import FoundationEssentials

public import ProbeKit
/// Policies about what a server presents, which count as far as the server has proved it.
///
/// Until a handshake is complete, anyone on the way may have sent, or changed, what was seen. So where it failed before
/// that, the failure decides: what these policies find is shown beside it, as a warning that says so. Two kinds of error
/// stay: one of our own (`internal-error`), and bytes that were read in two ways, whoever sent them
/// (`readings-disagree`).
public struct ProvenEvidence: Policy {
    private let parts: [any Policy]

    /// The policies, in order.
    public init(@PolicyBuilder _ parts: () -> [any Policy]) {
        self.parts = parts()
    }

    /// The findings of the policies; what rests on unproven evidence says so, and fails nothing.
    public func judge(_ evidence: Evidence, at instant: Date) -> [Finding] {
        let isProven = evidence.connection?.report.isProven ?? true
        return parts.flatMap { part in
            let findings = part.judge(evidence, at: instant)
            // What was known before anything was asked needs no proof.
            return isProven || part is Announced ? findings : findings.map(\.unproven)
        }
    }
}

extension Finding {
    /// The finding where the handshake it rests on did not complete.
    fileprivate var unproven: Finding {
        guard outcome != .internalError else { return self }
        let message = "unproven, since the handshake did not complete: \(message)"
        return switch (severity, outcome) {
        case (.error, .readingsDisagree?): .error(.readingsDisagree, code: code, stage: stage, message, fix: fix)
        case (.note, _): .note(code, stage: stage, message, fix: fix)
        default: .warning(code, stage: stage, message, fix: fix)
        }
    }
}
