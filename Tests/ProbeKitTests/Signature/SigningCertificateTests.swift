import ProbeLab
import Testing

@testable import ProbeKit
@testable import ProbeSignatures

/// The certificate that a message is signed with: found by both of its names, and fit for content.
@Suite struct SigningCertificateTests {
    private static let pki = TestChain.pki

    private func message(
        byKey: Bool = false, _ change: @escaping (inout LabCertificateRecipe) -> Void = { _ in }
    ) throws -> EditableDER {
        EditableDER(
            try Self.pki.sign(
                LabCMSRecipe {
                    $0.signers[0].isNamedByKey = byKey
                    change(&$0.signers[0].certificate)
                }
            ).bytes)
    }

    private func certificate(_ message: EditableDER) throws -> SigningCertificate {
        try SigningCertificate(in: CMSMessage(signature: message.encoded))
    }

    private func cause(_ message: EditableDER) throws -> SignatureProblem.Cause? {
        let read = try CMSMessage(signature: message.encoded)
        do throws(SignatureProblem) {
            _ = try SigningCertificate(in: read)
            return nil
        } catch {
            return error.cause
        }
    }

    @Test func issuerAndSerialBothCount() throws {
        #expect(try cause(message()) == nil)
        var serial = try message()
        serial[1, 0, 4, 0, 1, 1].bytes[0] ^= 1
        #expect(try cause(serial) == .noCertificate)
        var issuer = try message()
        issuer[1, 0, 4, 0, 1, 0] = issuer[1, 0, 3, 0, 0, 5]
        #expect(try cause(issuer) == .noCertificate)
    }

    /// Sequences that are no certificates stand beside it, and are passed over.
    @Test(arguments: [false, true]) func whatIsNoCertificateIsNotNamed(byKey: Bool) throws {
        var message = try message(byKey: byKey)
        let body = EditableDER.sequence(EditableDER(2, bytes: [1]), .sequence(.oid("1.2.3")))
        let algorithm = EditableDER.sequence(.oid("1.2.3"))
        for wrong in [
            EditableDER.sequence(), .sequence(body, algorithm, EditableDER(3, bytes: [0])),
            .sequence(.sequence(algorithm), algorithm, EditableDER(3, bytes: [0])),
        ] {
            message[1, 0, 3].children.append(wrong)
        }
        #expect(try cause(message) == nil)
    }

    @Test func eitherUsageForSignaturesWillDo() throws {
        // Bits 0, 1 and 2 of the key usage: digitalSignature, nonRepudiation, keyEncipherment.
        for (bits, isFit) in [([3, 2, 7, 0x80], true), ([3, 2, 6, 0x40], true), ([3, 2, 5, 0x20], false)]
            as [([UInt8], Bool)]
        {
            let problem = try certificate(
                message { recipe in
                    recipe.keyUsage = nil
                    recipe.extensions.append(LabExtension(oid: [2, 5, 29, 15], isCritical: true, value: bits))
                }
            ).purposeProblem(isAnchor: false)
            #expect(problem?.cause == (isFit ? nil : .wrongPurpose), "\(bits)")
        }
    }

    @Test func anAuthoritySignsOnlyIfItIsTrustedItself() throws {
        let authority = try certificate(message { $0.role = .authority(pathLength: nil) })
        #expect(authority.purposeProblem(isAnchor: true) == nil)
        #expect(authority.purposeProblem(isAnchor: false)?.cause == .wrongPurpose)
    }

    @Test func aMissingCommonNameIsSaidToBeMissing() throws {
        let signer = TrustedSigner(
            name: "lab", certificates: try Self.pki.anchors().certificates,
            commonName: try TrustedSigner.CommonNameRule(".lab.test"))
        let nameless = try certificate(message { $0.encodedSubject = [0x30, 0] }).constraintProblems(signer)
        #expect(nameless.map { $0.message.hasSuffix("and is missing") } == [true], "\(nameless)")
        let other = try certificate(message { $0.commonName = "other.test" }).constraintProblems(signer)
        #expect(other.map { $0.message.hasSuffix("and is 'other.test'") } == [true], "\(other)")
    }
}
