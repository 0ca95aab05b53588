/// The verdict as one code: stable values for scripts, each with its exit code.
@nonexhaustive public enum Outcome: String, Hashable, Sendable, Codable, CaseIterable {
    /// Everything that was asked for holds.
    case pass
    /// Everything that was asked for holds, and something should be changed.
    case passWithWarnings = "pass-with-warnings"
    /// The chain does not match a group of pins, or an expected certificate.
    case pinMismatch = "pin-mismatch"
    /// A verifier or a root store whose decision counts refuses the chain, or it ends sooner than demanded.
    case trustFailed = "trust-failed"
    /// The handshake or its certificates are weaker than demanded: an older version, a suite without forward secrecy.
    case tlsPolicyFailed = "tls-policy-failed"
    /// A policy of the user's own is not satisfied; the finding's code says which.
    case policyFailed = "policy-failed"
    /// DNS has an allow-list, and the model is not on it.
    case modelNotListed = "model-not-listed"
    /// DNS has no allow-list at any of the names.
    case modelAbsent = "model-absent"
    /// A detached signature is not one by a trusted signer over the content.
    case signatureInvalid = "signature-invalid"
    /// The connection to the server was not made.
    case unreachable
    /// The server was reached, and the handshake did not complete.
    case handshakeFailed = "handshake-failed"
    /// DNS gave no answer that can be relied on, so that nothing is known.
    case dnsIndeterminate = "dns-indeterminate"
    /// The stack and the reference verifier decide differently, or pins hold on the path of one alone.
    case stacksDisagree = "stacks-disagree"
    /// Two parsers of the same bytes, a key's or a DNS reply's, read something else in them.
    case readingsDisagree = "readings-disagree"
    /// Fewer of a fleet's users than its minimum could connect.
    case clientsLost = "clients-lost"
    /// The backend can't do what was asked of it, so nothing was sent.
    case unsupported
    /// This process was late with its own work, and nothing is known about the server.
    case localOverload = "local-overload"
    /// The backend or the probe itself failed, which means nothing for the server.
    case internalError = "internal-error"

    /// The process's exit code.
    public var exitCode: Int32 {
        switch self {
        case .pass, .passWithWarnings: 0
        case .pinMismatch: 10
        case .trustFailed: 11
        case .tlsPolicyFailed: 12
        case .modelNotListed: 13
        case .modelAbsent: 14
        case .signatureInvalid: 15
        case .clientsLost: 16
        case .policyFailed: 17
        case .unreachable, .handshakeFailed: 20
        case .dnsIndeterminate: 21
        case .stacksDisagree: 30
        case .readingsDisagree: 31
        case .unsupported, .localOverload: 40
        case .internalError: 70
        }
    }

    /// The precedence among several outcomes: the one with the highest rank decides.
    public var rank: Int {
        switch self {
        case .internalError: 14
        case .readingsDisagree: 13
        case .stacksDisagree: 12
        case .signatureInvalid: 11
        case .trustFailed: 10
        case .pinMismatch: 9
        case .tlsPolicyFailed: 8
        case .clientsLost: 7
        case .policyFailed: 6
        case .modelNotListed: 5
        case .modelAbsent: 4
        case .unsupported, .localOverload: 3
        case .dnsIndeterminate: 2
        case .unreachable, .handshakeFailed: 1
        case .passWithWarnings: 0
        case .pass: -1
        }
    }

    /// Returns the deciding outcome among several; `pass` if there are none.
    public static func deciding(among outcomes: some Sequence<Outcome>) -> Outcome {
        outcomes.max { $0.rank < $1.rank } ?? .pass
    }

    /// True if a script may continue.
    public var isPass: Bool { exitCode == 0 }
}

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
        case .pinMismatch, .trustFailed, .signatureInvalid, .modelNotListed, .stacksDisagree, .readingsDisagree,
            .clientsLost:
            self = .security
        case .tlsPolicyFailed, .policyFailed, .modelAbsent, .unsupported: self = .configuration
        case .dnsIndeterminate, .localOverload: self = .transient
        case .unreachable, .handshakeFailed:
            let failure = code.flatMap(HandshakeFailure.Code.init)
            self = failure?.isTransient ?? (outcome == .unreachable) ? .transient : .configuration
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
