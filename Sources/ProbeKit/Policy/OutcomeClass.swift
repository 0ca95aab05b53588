/// The class of a verdict, which decides the reaction: continue, alarm, fix, or retry.
public enum OutcomeClass: String, Hashable, Sendable, Codable, CaseIterable {
    /// The check passes, with warnings or without.
    case pass
    /// The server, or the list that DNS publishes, is not acceptable to clients; trying again elsewhere would hide it.
    case security
    /// The request does not fit the server or the backend; this persists until one of them is changed.
    case configuration
    /// Nothing was learned: a server did not answer, and may do so later (requirement 48).
    case transient
    /// The probe itself failed.
    case `internal`

    /// Returns the class of an outcome.
    ///
    /// - Parameter code: the code of the deciding finding; it distinguishes a server that went away from one that
    ///   breaks the protocol.
    public init(_ outcome: Outcome, code: String?) {
        switch outcome {
        case .pass, .passWithWarnings: self = .pass
        case .pinMismatch, .trustFailed, .signatureInvalid, .modelNotListed, .stacksDisagree, .readingsDisagree:
            self = .security
        case .tlsPolicyFailed, .policyFailed, .modelAbsent, .unsupported: self = .configuration
        case .unreachable, .dnsIndeterminate, .localOverload: self = .transient
        case .handshakeFailed:
            let failure = code.flatMap(HandshakeFailure.Code.init)
            self = failure?.isTransient ?? false ? .transient : .configuration
        case .internalError: self = .internal
        }
    }
}

extension Verdict {
    /// The class of the verdict.
    public var outcomeClass: OutcomeClass {
        decidingFinding?.ownClass ?? OutcomeClass(outcome, code: decidingFinding?.code)
    }
}
