/// A policy's finding about the evidence.
public struct Finding: Hashable, Sendable, Encodable {
    /// The severity of a finding.
    public enum Severity: String, Hashable, Sendable, Codable {
        /// The verdict fails.
        case error
        /// The verdict passes, with a warning.
        case warning
        /// Worth knowing; it changes nothing.
        case note
    }

    /// A stable name in kebab case, finer than an outcome.
    public let code: String
    /// The finding's severity.
    public let severity: Severity
    /// The step it belongs to.
    public let stage: Stage
    /// The message, naming the evidence.
    public let message: String
    /// The suggested fix; empty only for notes.
    public private(set) var remedy: Fix
    /// The outcome of an error; nil for warnings and notes.
    public let outcome: Outcome?

    /// The class of an error that only its policy knows; nil where the outcome decides.
    let ownClass: OutcomeClass?

    /// The suggested fix as text.
    public var fix: String { PrintableText.escape(remedy.description) }

    private enum CodingKeys: String, CodingKey {
        case code, severity, stage, message, fix
    }

    /// Writes everything but the outcome, which is the verdict's.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(code, forKey: .code)
        try container.encode(severity, forKey: .severity)
        try container.encode(stage, forKey: .stage)
        try container.encode(message, forKey: .message)
        try container.encode(fix, forKey: .fix)
    }

    /// Returns a finding that fails the verdict with `outcome`.
    ///
    /// An error never passes: an outcome that does becomes ``Outcome/policyFailed``, and the class `pass` is left to the
    /// outcome.
    ///
    /// - Parameter class: the reaction that it asks for, where outcome and code do not decide it.
    public static func error(
        _ outcome: Outcome, class: OutcomeClass? = nil, code: String? = nil, stage: Stage, _ message: String, fix: Fix
    ) -> Finding {
        let failing: Outcome = outcome.isPass ? .policyFailed : outcome
        return Finding(
            code: code ?? failing.rawValue, severity: .error, stage: stage, message: message, fix: fix,
            outcome: failing, ownClass: `class` == .pass ? nil : `class`)
    }

    /// Returns a finding that fails the verdict for a reason of the policy's own: the outcome is
    /// ``Outcome/policyFailed``, and the code says which policy it was.
    ///
    /// - Parameters:
    ///   - class: the reaction that it asks for.
    ///   - code: the policy's own name for the reason, in kebab case.
    public static func error(
        class: OutcomeClass, code: String, stage: Stage, _ message: String, fix: Fix
    ) -> Finding {
        Finding(
            code: code, severity: .error, stage: stage, message: message, fix: fix, outcome: .policyFailed,
            ownClass: `class` == .pass ? .configuration : `class`)
    }

    /// Returns the same finding, with other words for the steps of its fix that have some.
    package func worded(_ words: Fix.Step.Words) -> Finding {
        var finding = self
        finding.remedy = remedy.worded(words)
        return finding
    }

    /// Returns a finding that lets the verdict pass, with a warning.
    public static func warning(_ code: String, stage: Stage, _ message: String, fix: Fix) -> Finding {
        Finding(code: code, severity: .warning, stage: stage, message: message, fix: fix, outcome: nil)
    }

    /// Returns a finding that changes nothing.
    public static func note(_ code: String, stage: Stage, _ message: String, fix: Fix = "") -> Finding {
        Finding(code: code, severity: .note, stage: stage, message: message, fix: fix, outcome: nil)
    }

    private init(
        code: String, severity: Severity, stage: Stage, message: String, fix: Fix, outcome: Outcome?,
        ownClass: OutcomeClass? = nil
    ) {
        self.code = code
        self.severity = severity
        self.stage = stage
        // Messages quote peers: names in certificates, reasons of stacks.
        self.message = PrintableText.escape(message)
        remedy = fix
        self.outcome = outcome
        self.ownClass = ownClass
    }
}

/// The step of a probe that a finding belongs to, in the order in which data flows.
@nonexhaustive public enum Stage: String, Hashable, Sendable, Codable, CaseIterable {
    /// The way to the server: the lookup of its name, the proxy, and the TCP connection.
    case connect
    /// The handshake and what it negotiates: the version, the key exchange, a client certificate.
    case tls
    /// The decision whether the presented chain leads to an anchor, for the server's name.
    case trust
    /// The keys and certificates of the chain, as they are read and compared with pins.
    case pins
    /// The allow-list of models in DNS.
    case dns
    /// A detached signature and its signer.
    case signature
}
