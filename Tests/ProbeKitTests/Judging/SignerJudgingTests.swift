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
}
