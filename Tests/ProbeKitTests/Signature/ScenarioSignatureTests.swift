import ProbeLab
import ProbeTrust
import Testing

@testable import ProbeConformance
@testable import ProbeKit
@testable import ProbeSignatures

/// The signatures of the conformance suite, judged without a library: what our own rules make of them.
@Suite struct ScenarioSignatureTests {
    private static let pki = TestChain.pki

    /// Finds every signature good, and trusts as the reference verifier does.
    private struct AgreeableStack: CMSStack {
        let identity = BackendIdentity(name: "agreeable", library: "none", version: "0")

        func verify(_ message: [UInt8], over content: [UInt8]) async -> CMSVerification {
            do throws(SignatureProblem) {
                let certificate = try SigningCertificate(in: CMSMessage(signature: message))
                return .verified(certificate: certificate.parsed.der)
            } catch {
                return .refused(error)
            }
        }

        func evaluateTrust(_ question: TrustQuestion) async -> TrustReading {
            await ReferenceVerifier().evaluate(question)
        }
    }

    /// Those that a stack alone can tell.
    private static let scenarios = SignatureScenario.all.filter { $0.expectedCause(of: "agreeable") != .badSignature }

    @Test(arguments: scenarios) func ourRulesKeepThePromise(scenario: SignatureScenario) async throws {
        let result = try await scenario.run(with: AgreeableStack(), pki: Self.pki)
        #expect(result.failure == nil)
    }
}
