import ProbeKit
import ProbeLab

extension SignatureScenario {
    /// Content other than the signed content, and malformed signatures.
    static let contents: [SignatureScenario] = [
        SignatureScenario(
            "content/altered", "Content with one byte changed is refused.", source: "RFC 5652 section 5.6", [90, 92],
            .contentMismatch
        ).with { $0.content = Array("a manifest of pinz\n".utf8) },
        SignatureScenario(
            "content/altered-without-attributes", "So is it where no digest of it was signed.",
            source: "RFC 5652 section 5.6", [90, 92], .badSignature
        ) { $0.signers[0].attributes = .none }.with { $0.content = Array("a manifest of pinz\n".utf8) },
        SignatureScenario(
            "content/line-ends", "Line ends are content.", source: "ours: bytes are signed, not text", [90],
            .contentMismatch
        ).with { $0.content = Array("a manifest of pins\r\n".utf8) },
        SignatureScenario(
            "content/longer", "Content with bytes after it is refused.", source: "RFC 5652 section 5.6", [90],
            .contentMismatch
        ).with { $0.content = Array("a manifest of pins\nevil.test\n".utf8) },
        SignatureScenario(
            "content/missing", "Empty content does not stand for whatever was signed.", source: "RFC 5652 section 5.2",
            [90],
            .contentMismatch
        ).with { $0.content = [] },
        SignatureScenario(
            "content/attached-differs", "Content in the message does not count instead of the content given.",
            source: "ours: what is validated is what will be used", [90], .contentMismatch
        ) { $0.attachedContent = $0.content }.with { $0.content = Array("other\n".utf8) },
        SignatureScenario(
            "content/attached-instead-of-empty", "Nor where the content given is empty.",
            source: "ours: GnuTLS takes the message's own for want of another", [90], .contentMismatch
        ) { $0.attachedContent = $0.content }.with { $0.content = [] },
        SignatureScenario(
            "content/attached-unsigned",
            "Content in the message that was not signed does not pass beside the one given.",
            source: "ours: every reader has to see the same content", [90], .contentMismatch
        ) { $0.attachedContent = Array("other\n".utf8) },
        SignatureScenario(
            "content/other-digest", "A signed digest of other content is refused.", source: "RFC 5652 section 11.2",
            [90, 92],
            .contentMismatch
        ) { $0.signers[0].attributes = .otherMessageDigest },
        SignatureScenario(
            "content/attributes-as-content", "Signed attributes do not pass as content of the same signature.",
            source: "ours: a signature over attributes is one over their bytes (RFC 5652 section 5.4)", [90, 92],
            .confused(LabCMSRecipe("attributes-as-content")), .ambiguousContent),
        SignatureScenario(
            "content/bad-signature", "A signature with one bit flipped is refused.", source: "requirement 92",
            [90, 92],
            .badSignature
        ) { $0.signers[0].breaksSignature = true },
        SignatureScenario(
            "content/bad-rsa-signature", "So is one of RSA.", source: "requirement 92", [90, 92], .badSignature
        ) {
            $0.signers[0].certificate.key = LabKeyID(.rsa2048, "leaf")
            $0.signers[0].breaksSignature = true
        },
        SignatureScenario(
            "content/bad-signature-without-attributes", "And one without signed attributes.", source: "requirement 92",
            [90, 92], .badSignature
        ) {
            $0.signers[0].attributes = .none
            $0.signers[0].breaksSignature = true
        },
    ]
}
