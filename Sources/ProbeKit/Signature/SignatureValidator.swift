public import ProbePlatform

/// Checks whether content was signed by a trusted signer.
///
/// Any implementation can take the place of ours (requirement 107): one that answers from a cache, asks a service, or
/// reads another kind of signature. It answers every question, and refuses those it can't decide.
///
///     struct Revoking: SignatureValidator {
///         let real: any SignatureValidator
///         let revoked: Set<PinDigest>
///         var identity: BackendIdentity { real.identity }
///
///         func validate(_ question: SignatureQuestion) async -> SignatureReading {
///             let reading = await real.validate(question)
///             guard let certificate = reading.certificate, revoked.contains(.sha256(of: certificate)) else { return reading }
///             return .refused([SignatureProblem(.untrustedSigner, "the certificate is on our own list")])
///         }
///     }
public protocol SignatureValidator: Backend {
    /// Checks whether one of the trusted signers signed the content.
    func validate(_ question: SignatureQuestion) async -> SignatureReading
}

/// A question about a signature that any validator can answer offline.
public struct SignatureQuestion: Sendable {
    /// A detached CMS SignedData (RFC 5652 section 5), DER or PEM.
    public let signature: [UInt8]
    /// The signed bytes, exactly as they were signed: line ends are not changed.
    public let content: [UInt8]
    /// The trusted signers; any one of them suffices.
    public let signers: [TrustedSigner]
    /// The instant at which the signer's certificates have to be valid; the signature's own time is ignored.
    public let instant: Date

    /// Creates a question.
    public init(signature: [UInt8], content: [UInt8], signers: [TrustedSigner], instant: Date) {
        self.signature = signature
        self.content = content
        self.signers = signers
        self.instant = instant
    }
}

/// One validator's answer to a ``SignatureQuestion``.
public struct SignatureReading: Hashable, Sendable {
    /// All problems, most severe first; empty means valid.
    public let problems: [SignatureProblem]
    /// The name of the trusted signer who signed; nil unless valid.
    public let signer: String?
    /// The certificate the signature was made with as DER; nil unless valid.
    public let certificate: [UInt8]?

    /// Returns the answer "valid".
    ///
    /// - Parameters:
    ///   - signer: the name of the trusted signer.
    ///   - certificate: the signing certificate as DER, if the validator has one.
    public static func valid(signer: String, certificate: [UInt8]?) -> SignatureReading {
        SignatureReading(problems: [], signer: signer, certificate: certificate)
    }

    /// Returns the answer "not valid", for at least one problem.
    public static func refused(_ problems: [SignatureProblem]) -> SignatureReading {
        precondition(!problems.isEmpty, "a refusal names its problem")
        return SignatureReading(problems: problems.sorted { $0.cause < $1.cause }, signer: nil, certificate: nil)
    }

    private init(problems: [SignatureProblem], signer: String?, certificate: [UInt8]?) {
        self.problems = problems
        self.signer = signer
        self.certificate = certificate
    }

    /// True if a trusted signer signed the content.
    public var isValid: Bool { problems.isEmpty && signer != nil }
    /// The most severe cause; nil if valid.
    public var cause: SignatureProblem.Cause? { problems.first?.cause }

    /// The answer in one word.
    public var outcome: Outcome { isValid ? .pass : problems.first?.cause.outcome ?? .internalError }

}
