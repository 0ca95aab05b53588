import Foundation
import ProbeConformance
import ProbeKit
import ProbeLab
import ProbeSignatures
import ProbeTestSupport
import Testing

/// Bytes chosen by an attacker: whatever they are, there is an answer, and it is "not valid".
///
/// These only compute, so they run one at a time: other tests have deadlines.
@Suite(.serialized, .bounded) struct HostileSignatureTests {
    private static let pki = SignatureConformanceTests.pki

    /// A good message, the question about it, and its recipe.
    private struct Good {
        let bytes: [UInt8]
        let content: [UInt8]
        let signers: [TrustedSigner]

        init(attributes: LabCMSRecipe.Attributes = .standard) throws {
            let recipe = LabCMSRecipe("hostile") { $0.signers[0].attributes = attributes }
            bytes = try pki.sign(recipe).bytes
            content = recipe.content
            signers = [TrustedSigner(name: "lab", certificates: try pki.anchors().certificates)]
        }

        func question(_ bytes: [UInt8]) -> SignatureQuestion {
            SignatureQuestion(signature: bytes, content: content, signers: signers, instant: pki.epoch)
        }
    }

    @Test("[R92] a signature that was cut off", arguments: ValidatorsUnderTest.all)
    func noTruncationIsValid(_ subject: ValidatorUnderTest) async throws {
        let good = try Good()
        #expect(await subject.validator.validate(good.question(good.bytes)).isValid)
        for count in good.bytes.indices {
            await Task.yield()
            let reading = await subject.validator.validate(good.question(Array(good.bytes.prefix(count))))
            #expect(!reading.isValid, "the first \(count) bytes")
        }
    }

    /// Bytes changed one at a time, in the lowest bit, the highest or anyhow; and two at a time, at random.
    @Test(
        "[R92] a signature with bytes changed", arguments: ValidatorsUnderTest.all,
        [LabCMSRecipe.Attributes.standard, .none])
    func noMutationIsValid(_ subject: ValidatorUnderTest, _ attributes: LabCMSRecipe.Attributes) async throws {
        let good = try Good(attributes: attributes)
        var random = SplitMix(state: 92)
        // Every other one: one stack covers those that the other does not, and with the other attributes vice versa.
        let isFirst = subject.testDescription == ValidatorsUnderTest.all.first?.testDescription
        for index in stride(from: isFirst == (attributes == .standard) ? 0 : 1, to: good.bytes.count, by: 2) {
            await Task.yield()
            var bytes = good.bytes
            bytes[index] ^= [0x01, 0x80, .random(in: 1...255, using: &random)][index % 3]
            #expect(!(await subject.validator.validate(good.question(bytes)).isValid), "\(index): \(Hex.encode(bytes))")
        }
        for _ in 0..<200 {
            await Task.yield()
            var bytes = good.bytes
            for _ in 0..<2 {
                bytes[.random(in: bytes.indices, using: &random)] ^= .random(in: 1...255, using: &random)
            }
            guard bytes != good.bytes else { continue }
            #expect(!(await subject.validator.validate(good.question(bytes)).isValid), "\(Hex.encode(bytes))")
        }
    }

    /// The stacks alone, without our reading before them: they may find such a message good, and must not crash or hang.
    @Test(arguments: ValidatorsUnderTest.all)
    func theStackAloneSurvives(_ subject: ValidatorUnderTest) async throws {
        let stack = try #require(subject.validator as? any CMSStack)
        let good = try Good()
        var random = SplitMix(state: 93)
        let lengths = Array(stride(from: 0, to: good.bytes.count, by: 3))
        for count in lengths { _ = await stack.verify(Array(good.bytes.prefix(count)), over: good.content) }
        for _ in 0..<1000 {
            await Task.yield()
            var bytes = good.bytes
            for _ in 0..<Int.random(in: 1...4, using: &random) {
                bytes[.random(in: bytes.indices, using: &random)] = .random(in: 0...255, using: &random)
            }
            _ = await stack.verify(bytes, over: good.content)
        }
        let tower = await stack.verify([UInt8](repeating: 0x30, count: 10_000), over: good.content)
        guard case .refused = tower else {
            Issue.record("\(tower)")
            return
        }
    }

    @Test(arguments: ValidatorsUnderTest.all)
    func manyCertificatesEndInTime(_ subject: ValidatorUnderTest) async throws {
        let recipe = LabCMSRecipe("many") { recipe in
            recipe.furtherAuthorities = (1...120).map { LabAuthority.huge($0) }
        }
        let question = SignatureQuestion(
            signature: try Self.pki.sign(recipe).bytes, content: recipe.content,
            signers: [TrustedSigner(name: "lab", certificates: try Self.pki.anchors().certificates)],
            instant: Self.pki.epoch)
        let reading = await subject.validator.validate(question)
        #expect(reading.cause == .tooComplex)
    }
}
