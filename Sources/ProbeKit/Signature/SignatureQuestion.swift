public import ProbePlatform

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
