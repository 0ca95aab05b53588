import ProbeKit
import ProbeLab

extension SignatureScenario {
    /// Valid signatures, in every accepted form.
    static let forms: [SignatureScenario] = [
        form("ecdsa-p256", "ECDSA on P-256 with SHA-256", "RFC 5754 section 3.3") { _ in },
        form("ecdsa-p256-sha512", "ECDSA on P-256 with SHA-512", "RFC 5754 section 3.3") { $0.digest = .sha512 },
        form("ecdsa-p384", "ECDSA on P-384 with SHA-384", "RFC 5754 section 3.3") {
            $0.certificate.key = LabKeyID(.p384, "cms-p384")
            $0.digest = .sha384
        },
        form("rsa-sha256", "RSA with SHA-256", "RFC 5754 section 3.2") {
            $0.certificate.key = LabKeyID(.rsa2048, "leaf")
        },
        form("rsa-sha384", "RSA with SHA-384", "RFC 5754 section 3.2") {
            $0.certificate.key = LabKeyID(.rsa2048, "leaf")
            $0.digest = .sha384
        },
        form("rsa-sha512", "RSA of 4096 bits with SHA-512", "RFC 5754 section 3.2") {
            $0.certificate.key = LabKeyID(.rsa4096, "leaf")
            $0.digest = .sha512
        },
        form("rsa-pss", "RSASSA-PSS with SHA-256", "RFC 4056 section 3") {
            $0.certificate.key = LabKeyID(.rsa2048, "leaf")
            $0.signature = .rsaPSSSHA256
        },
        form("without-attributes", "Signed attributes are optional", "RFC 5652 section 5.3") { $0.attributes = .none },
        form("rsa-without-attributes", "Signed attributes are optional with RSA too", "RFC 5652 section 5.3") {
            $0.certificate.key = LabKeyID(.rsa2048, "leaf")
            $0.attributes = .none
        },
        form("named-by-key", "A signature may name its certificate by key identifier", "RFC 5652 section 5.3") {
            $0.isNamedByKey = true
        },
        SignatureScenario(
            "forms/pem", "A signature may be PEM, and its signer's certificate DER.",
            source: "decided: upstream-traps (it took one form)",
            [90, 92], nil
        ) { $0.isPEM = true },
        SignatureScenario(
            "forms/attached-same", "A message may carry the content that is given.", source: "RFC 5652 section 5.2",
            [90], nil
        ) { $0.attachedContent = $0.content },
        SignatureScenario(
            "forms/empty-content",
            "A signature over nothing is refused, since not every stack can tell nothing from none.",
            source: "ours: GnuTLS takes the message's own content instead", [90], .unsupported
        ) { $0.content = [] },
        SignatureScenario(
            "forms/large-content", "Content may be much larger than its signature.", source: "requirement 90", [90], nil
        ) { $0.content = [UInt8](repeating: 0x0d, count: 3 << 20) },
        SignatureScenario(
            "forms/ed25519", "Ed25519 is refused, since not every stack verifies it in CMS.",
            source: "ours: OpenSSL 3.0 has no RFC 8419", [90], .unsupported
        ) {
            $0.signers[0].certificate.key = LabKeyID(.ed25519, "cms")
            $0.signers[0].digest = .sha512
        },
    ]

    private static func form(
        _ id: String, _ sentence: String, _ source: String, change: (inout LabCMSRecipe.Signer) -> Void
    ) -> SignatureScenario {
        SignatureScenario("forms/\(id)", "\(sentence).", source: source, [90, 92], nil) { change(&$0.signers[0]) }
    }
}
