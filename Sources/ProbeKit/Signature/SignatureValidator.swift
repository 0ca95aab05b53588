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
public protocol SignatureValidator: Sendable {
    /// The validator's name, library and loaded version.
    var identity: BackendIdentity { get }

    /// Checks whether one of the trusted signers signed the content.
    func validate(_ question: SignatureQuestion) async -> SignatureReading
}
