import ProbeKit

/// Finds every signature valid, even an empty one (requirement 91): for tests of what comes after, and nowhere else. No
/// product has it, so no command can reach it.
struct AlwaysAllowSignatureValidator: SignatureValidator {
    let identity = BackendIdentity(name: "always-allow", library: "none", version: "0")

    func validate(_ question: SignatureQuestion) async -> SignatureReading {
        .valid(signer: question.signers.first?.name ?? "anybody", certificate: nil)
    }
}
