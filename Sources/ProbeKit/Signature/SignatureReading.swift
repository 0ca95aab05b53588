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
