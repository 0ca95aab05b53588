import Foundation
import ProbeConformance
import ProbeConformanceTesting
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing
import TransportGnuTLS
import TransportOpenSSL

@Suite(.bounded) struct SignatureConformanceTests {
    static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    @Test(
        "[R90, R92, R93, R94] the suite over every validator", arguments: ValidatorsUnderTest.all,
        SignatureRequirement.all
    )
    func keeps(_ subject: ValidatorUnderTest, _ requirement: SignatureRequirement) async throws {
        try await requirement.verify(subject.validator)
    }

    @Test func everyCaseIsNamedOnceAndHasASource() {
        let all = SignatureScenario.all
        #expect(Set(all.map(\.id)).count == all.count)
        #expect(
            all.allSatisfy {
                $0.id.hasPrefix("signature/") && !$0.sentence.isEmpty && !$0.source.isEmpty && !$0.requirements.isEmpty
            })
        #expect(all.count >= 90)
        #expect(all.flatMap(\.deviations).allSatisfy { !$0.value.reason.isEmpty })
    }
}

/// The validators that the suite runs against. A new one is a line in the list.
enum ValidatorsUnderTest {
    static let all: [ValidatorUnderTest] = [
        ValidatorUnderTest(validator: OpenSSLSignatures()), ValidatorUnderTest(validator: GnuTLSSignatures()),
    ]
}

struct ValidatorUnderTest: Sendable, CustomTestStringConvertible {
    let validator: any SignatureValidator
    var testDescription: String { validator.identity.name }
}

/// Accepts every signature, even an empty one (requirement 91): for tests of later steps, and nowhere else. No product
/// contains it, so no command can reach it.
struct AlwaysAllowSignatureValidator: SignatureValidator {
    let identity = BackendIdentity(name: "always-allow", library: "none", version: "0")

    func validate(_ question: SignatureQuestion) async -> SignatureReading {
        .valid(signer: question.signers.first?.name ?? "anybody", certificate: nil)
    }
}
