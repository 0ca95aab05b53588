import ProbeKit
import ProbeLab

extension SignatureScenario {
    /// Malformed and ambiguous messages.
    static let structures: [SignatureScenario] = [
        SignatureScenario(
            "structure/empty", "An empty signature is refused.", source: "requirement 92, decided: upstream-traps",
            [91, 92],
            .bytes([]),
            .empty),
        bytes("text", "Text is not a signature.", Array("this is awesome\n".utf8)),
        bytes(
            "other-pem", "Another PEM block is not a signature.",
            Array("-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n".utf8)),
        bytes("empty-sequence", "An empty DER value is not a signature.", [0x30, 0x00]),
        bytes("zeros", "Zeros are not a signature.", [UInt8](repeating: 0, count: 4096)),
        bytes(
            "deep", "A value nested a hundred thousand deep is refused, and not walked into.",
            [UInt8](repeating: 0x30, count: 100_000).flatMap { [$0, 0x80] }),
        SignatureScenario(
            "structure/truncated", "A message without its last byte is refused.", source: "RFC 5652 section 3", [92],
            .truncated(LabCMSRecipe("truncated"), by: 1), .malformed),
        SignatureScenario(
            "structure/too-large", "More bytes than any chain of certificates has are not read.",
            source: "ours: what a message can make us hold is bounded", [92],
            .bytes([0x30] + [UInt8](repeating: 0, count: 600_000)), .tooComplex),
        SignatureScenario(
            "structure/trailing-bytes", "Bytes after the message are refused.",
            source: "ours: one reading of every byte", [92],
            .malformed
        ) { $0.trailer = [0] },
        SignatureScenario(
            "structure/no-signer", "A message nobody signed is refused, whatever certificates are in it.",
            source: "RFC 5652 section 5.1: a message may have none", [92], .noSigner
        ) { recipe in
            recipe.signers = []
            recipe.hasCertificates = false
        },
        SignatureScenario(
            "structure/two-signers", "A message with two signatures is refused, even where both are valid.",
            source: "decided: upstream-traps (exactly one signer)", [92], .severalSigners
        ) { $0.signers.append(LabCMSRecipe.Signer("second")) },
        SignatureScenario(
            "structure/two-signers-one-bad", "It does not matter which of the two is bad.",
            source: "decided: upstream-traps (exactly one signer)", [92], .severalSigners
        ) {
            $0.signers.append(LabCMSRecipe.Signer("second"))
            $0.signers[1].breaksSignature = true
        },
        weak("md5", "MD5", .md5), weak("sha1", "SHA-1", .sha1),
        SignatureScenario(
            "structure/no-certificate", "A signature whose certificate is not in the message is refused, known or not.",
            source: "ours: the message is whole", [92], .noCertificate
        ) { $0.hasCertificates = false }.trusting { $0.anchors = [.signer] },
        SignatureScenario(
            "structure/other-content-type", "Content of another type than data is refused.",
            source: "RFC 5652 section 5.2: a time stamp is not a manifest", [90], .malformed
        ) { $0.contentType = [1, 2, 840, 113549, 1, 9, 16, 1, 4] },
        SignatureScenario(
            "structure/extra-certificates", "Further certificates in the message change nothing.",
            source: "RFC 5652 section 5.1", [92], nil
        ) { $0.furtherAuthorities = [.root, .otherRoot, .rsaIntermediate, .deep(1)] },
        attributes(.withoutContentType, "Signed attributes without a content type are refused.", "section 11.1"),
        attributes(.withoutMessageDigest, "Signed attributes without a message digest are refused.", "section 11.2"),
        attributes(.otherContentType, "A signed content type other than the message's is refused.", "section 11.1"),
        attributes(.twoMessageDigests, "A message digest with two values is refused.", "section 11.2"),
        attributes(.messageDigestTwice, "Two message digests are refused.", "section 11.2"),
        attributes(.unsorted, "Signed attributes in another order than DER's are refused.", "section 5.3"),
    ]

    private static func bytes(_ id: String, _ sentence: String, _ bytes: [UInt8]) -> SignatureScenario {
        SignatureScenario(
            "structure/\(id)", sentence, source: "RFC 5652 section 3", [92], .bytes(bytes), .malformed)
    }

    private static func weak(_ id: String, _ name: String, _ digest: LabCMSRecipe.Digest) -> SignatureScenario {
        SignatureScenario(
            "structure/\(id)", "A digest of \(name) is refused.", source: "ours: CA/B baseline requirements 7.1.3.2",
            [92],
            .weakDigest
        ) {
            $0.signers[0].certificate.key = LabKeyID(.rsa2048, "leaf")
            $0.signers[0].digest = digest
        }
    }

    private static func attributes(
        _ attributes: LabCMSRecipe.Attributes, _ sentence: String, _ section: String
    ) -> SignatureScenario {
        SignatureScenario(
            "structure/attributes-\(attributes.rawValue)", sentence, source: "RFC 5652 \(section)", [92], .malformed
        ) { $0.signers[0].attributes = attributes }
    }
}
