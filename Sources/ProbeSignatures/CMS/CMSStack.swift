public import ProbeKit

/// A stack that reads and verifies CMS messages, made to report facts.
///
/// It parses the message, checks the signature, and decides on the signer's chain. The other rules — one signer, strong
/// digests, the trusted signers' constraints — are applied by `SignatureValidator.validate(_:)` in one place for all
/// stacks, on its own parse of the message.
public protocol CMSStack: SignatureValidator {
    /// Verifies the one signature of a message over content, whoever made it, without validating the certificate's
    /// chain.
    ///
    /// - Parameters:
    ///   - message: a CMS SignedData as DER, which has been read once already and found well-formed.
    ///   - content: the signed bytes; the message contains none that differ.
    func verify(_ message: [UInt8], over content: [UInt8]) async -> CMSVerification

    /// Returns the stack's own trust decision on a signer's chain.
    @concurrent func evaluateTrust(_ question: TrustQuestion) async -> TrustReading
}

/// A stack's result for a signature.
public enum CMSVerification: Hashable, Sendable {
    /// It is the signature of this certificate's key, as DER, over the content.
    case verified(certificate: [UInt8])
    /// It is not.
    case refused(SignatureProblem)
}

extension CMSStack {
    /// Judges a question with the stack's result; the rules are documented at `SignatureProblem.Cause`.
    public func validate(_ question: SignatureQuestion) async -> SignatureReading {
        do throws(SignatureProblem) {
            let message = try CMSMessage(signature: question.signature)
            return try await CMSJudge(question: question, message: message).judge(with: self)
        } catch {
            return .refused([error])
        }
    }
}
