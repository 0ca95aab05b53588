/// What kind of thing a verdict says, which decides what to do about it: go on, alarm, mend, or try again.
public enum OutcomeClass: String, Hashable, Sendable, Codable, CaseIterable {
    /// The check passes, with warnings or without.
    case pass
    /// The server, or the list that DNS publishes, is not what clients accept; trying again elsewhere would hide it.
    case security
    /// What was asked for does not fit the server or the backend; it stays so until somebody changes it.
    case configuration
    /// Nothing was learned: a server did not answer, and may yet (requirement 48).
    case transient
    /// The probe itself failed.
    case `internal`

    /// The class of an outcome.
    ///
    /// - Parameter code: the finding's that decided; it tells a server that went away from one that breaks the protocol.
    public init(_ outcome: Outcome, code: String?) {
        switch outcome {
        case .pass, .passWithWarnings: self = .pass
        case .pinMismatch, .trustFailed, .signatureInvalid, .modelNotListed, .stacksDisagree, .readingsDisagree:
            self = .security
        case .tlsPolicyFailed, .modelAbsent, .unsupported: self = .configuration
        case .unreachable, .dnsIndeterminate: self = .transient
        case .handshakeFailed:
            let failure = code.flatMap(HandshakeFailure.Code.init)
            self = failure?.isTransient ?? false ? .transient : .configuration
        case .internalError: self = .internal
        }
    }
}

extension Verdict {
    /// What kind of verdict it is.
    public var outcomeClass: OutcomeClass { OutcomeClass(outcome, code: decidingFinding?.code) }
}
