import ProbeKit

/// Accepts every signature, even an empty one (requirement 91): for tests of later steps, and nowhere else. No product
/// contains it, so no command can reach it.
struct AlwaysAllowSignatureValidator: SignatureValidator {
    let identity = BackendIdentity(name: "always-allow", library: "none", version: "0")

    func validate(_ question: SignatureQuestion) async -> SignatureReading {
        .valid(signer: question.signers.first?.name ?? "anybody", certificate: nil)
    }
}
