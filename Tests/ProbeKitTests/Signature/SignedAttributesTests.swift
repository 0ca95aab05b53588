import ProbeLab
import Testing

@testable import ProbeKit
@testable import ProbeSignatures

/// The attributes that a signature is over.
@Suite struct SignedAttributesTests {
    private static let pki = TestChain.pki

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
