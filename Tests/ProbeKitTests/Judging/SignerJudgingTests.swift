import ProbeLab
import SwiftASN1
import Testing

@testable import ProbeKit
@testable import ProbeSignatures

/// Conditions on the signing certificate of a message.
@Suite struct SignerJudgingTests {
    private static let pki = TestChain.pki

    /// Of several common names some readers take the first and some the last: two that both meet the rule are one too many.
    @Test func twoCommonNamesAreOneTooMany() throws {
        for (names, isAccepted) in [(["a.lab.test"], true), (["a.lab.test", "b.lab.test"], false)] {
            let recipe = LabCMSRecipe {
                $0.signers[0].certificate.encodedSubject = try? TestChain.name(names.map { ($0, .utf8String) })
            }
            let message = try Self.pki.sign(recipe)
            let signer = TrustedSigner(
                name: "lab", certificates: try Self.pki.anchors().certificates,
                commonName: try CommonNameRule(".lab.test"))
            let certificate = try SigningCertificate(in: CMSMessage(signature: message.bytes))
            let problems = certificate.constraintProblems(signer)
            #expect(problems.isEmpty == isAccepted, "\(names): \(problems)")
        }
    }

    /// RFC 5652 section 11: of an attribute that is there twice, one reader takes the first and another the last.
    @Test(
        arguments: [
            (.standard, nil), (.none, nil), (.messageDigestTwice, "is there twice"),
            (.twoMessageDigests, "do not have one message digest"),
            (.withoutMessageDigest, "do not have one message digest"),
            (.withoutContentType, "do not say once that the content is data"),
            (.otherContentType, "do not say once that the content is data"), (.unsorted, "not in the order of DER"),
        ] as [(LabCMSRecipe.Attributes, String?)])
    func signedAttributesAreThereOnce(attributes: LabCMSRecipe.Attributes, reason: String?) throws {
        let message = try Self.pki.sign(LabCMSRecipe { $0.signers[0].attributes = attributes })
        do throws(SignatureProblem) {
            _ = try CMSMessage(signature: message.bytes)
            #expect(reason == nil)
        } catch {
            #expect(error.cause == .malformed)
            #expect(reason.map(error.message.contains) == true, "\(error.message)")
        }
    }
}
