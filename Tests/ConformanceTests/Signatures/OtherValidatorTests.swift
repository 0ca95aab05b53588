import Foundation
import ProbeConformance
import ProbeKit
import ProbeLab
import ProbePins
import ProbeTestSupport
import Testing
import TransportOpenSSL

@testable import ProbeCommand

/// Validators that are not ours, good and wrong.
@Suite(.bounded) struct OtherValidatorTests {
    private static let pki = SignatureConformanceTests.pki

    @Test("[R91] it allows everything, and the suite finds it out")
    func allowingEverythingIsFound() async throws {
        let validator = AlwaysAllowSignatureValidator()
        let nothing = SignatureQuestion(signature: [], content: [], signers: [], instant: Self.pki.epoch)
        #expect(await validator.validate(nothing).isValid)
        for scenario in SignatureScenario.all where scenario.expected != nil {
            let result = try await scenario.run(with: validator, pki: Self.pki)
            #expect(result.failure != nil, "\(scenario.id) does not notice")
        }
    }

    @Test("[R91] no source of the products names it, and the command has only what it is given")
    func allowingEverythingIsOutOfReach() async throws {
        let sources = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Sources")
        let files = try FileManager.default.subpathsOfDirectory(atPath: sources.path).filter { $0.hasSuffix(".swift") }
        #expect(files.count > 100)
        for file in files {
            let text = try String(contentsOf: sources.appending(path: file), encoding: .utf8)
            #expect(!text.lowercased().contains("alwaysallow") && !text.contains("always-allow"), "\(file)")
        }
        let backends = try Backends(transports: [], resolvers: [], digesters: [], validators: [OpenSSLSignatures()])
        #expect(throws: InputError.self) { try backends.validators(named: BackendChoice(["always-allow"])) }
    }

    @Test func refusingEverythingIsFound() async throws {
        for scenario in SignatureScenario.all where scenario.expected == nil {
            let result = try await scenario.run(with: Refusing(), pki: Self.pki)
            #expect(result.failure != nil, "\(scenario.id) does not notice")
        }
    }

    /// Each has one fail-open trap of the seed.
    @Test("[R92, R93] a validator with one trap of the seed", arguments: Trapped.Trap.allCases)
    func trapsAreFound(_ trap: Trapped.Trap) async throws {
        let scenario = try #require(SignatureScenario.all.first { $0.id == trap.scenario }, "\(trap.scenario) is gone")
        let wrong = Trapped(real: OpenSSLSignatures(), trap: trap, system: try Self.pki.anchors([.root, .otherRoot]))
        #expect(try await scenario.run(with: wrong, pki: Self.pki).failure != nil)
        #expect(try await scenario.run(with: OpenSSLSignatures(), pki: Self.pki).failure == nil)
    }

    @Test("[R107] a caller's own validator takes the place of ours")
    func ownValidatorFits() async throws {
        let recipe = LabCMSRecipe("own")
        let message = try Self.pki.sign(recipe)
        let question = SignatureQuestion(
            signature: message.bytes, content: recipe.content,
            signers: [TrustedSigner(name: "lab", certificates: try Self.pki.anchors().certificates)],
            instant: Self.pki.epoch)
        let tolerant = Revoking(real: OpenSSLSignatures(), revoked: [])
        #expect(await tolerant.validate(question).isValid)
        let strict = Revoking(real: OpenSSLSignatures(), revoked: [.sha256(of: message.certificates[0])])
        #expect(await strict.validate(question).cause == .untrustedSigner)
        let backends = try Backends(transports: [], resolvers: [], digesters: [], validators: [strict])
        #expect(try backends.validators(named: BackendChoice(["revoking"])).count == 1)
    }
}

private struct Refusing: SignatureValidator {
    let identity = BackendIdentity(name: "refusing", library: "none", version: "0")

    func validate(_ question: SignatureQuestion) async -> SignatureReading {
        .refused([SignatureProblem(.badSignature, "it is refused")])
    }
}

/// A validator of a third party: another validator's result, and a list of revoked certificates.
private struct Revoking: SignatureValidator {
    let real: any SignatureValidator
    let revoked: Set<PinDigest>
    let identity = BackendIdentity(name: "revoking", library: "none", version: "1")

    func validate(_ question: SignatureQuestion) async -> SignatureReading {
        let reading = await real.validate(question)
        guard let certificate = reading.certificate, revoked.contains(.sha256(of: certificate)) else { return reading }
        return .refused([SignatureProblem(.untrustedSigner, "the certificate is on our own list")])
    }
}

/// A deliberately wrong validator, with one of the traps that a shipped one has (decided: upstream-traps).
struct Trapped: SignatureValidator {
    enum Trap: String, CaseIterable, Sendable {
        /// Takes the system's anchors where none of the trusted can be read.
        case systemStore
        /// Gives the list up at the first signer who does not fit.
        case firstMismatchEnds
        /// Takes ends of strings for domains.
        case suffix
        /// Passes a constraint that the certificate has nothing for.
        case missingIdentifier

        var scenario: String {
            switch self {
            case .systemStore: "signature/chain/unreadable"
            case .firstMismatchEnds: "signature/signers/next-after-root-key"
            case .suffix: "signature/signers/name-partial"
            case .missingIdentifier: "signature/signers/root-key-missing"
            }
        }
    }

    let real: any SignatureValidator
    let trap: Trap
    let system: TrustAnchors
    let identity = BackendIdentity(name: "trapped", library: "none", version: "0")

    func validate(_ question: SignatureQuestion) async -> SignatureReading {
        let signers: [TrustedSigner] =
            switch trap {
            case .systemStore: [TrustedSigner(name: "lab", certificates: system.certificates)]
            case .firstMismatchEnds: Array(question.signers.prefix(1))
            case .suffix, .missingIdentifier:
                question.signers.map { TrustedSigner(name: $0.name, certificates: $0.anchors.certificates) }
            }
        return await real.validate(
            SignatureQuestion(
                signature: question.signature, content: question.content, signers: signers, instant: question.instant))
    }
}
