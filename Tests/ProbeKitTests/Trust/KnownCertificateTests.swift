import Foundation
import ProbeKit
import ProbeLab
import ProbeTrust
import Testing

/// A verifier that has seen certificates before answers like one that has seen none, whatever else is asked.
@Suite struct KnownCertificateTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_790_000_000))

    /// The questions about one chain: names, instants, anchors, uses. Each of them is asked twice.
    private static func questions(about chain: [[UInt8]]) throws -> [TrustQuestion] {
        let anchors = [try pki.anchors(), TrustAnchors(name: "others", certificates: [chain[0]]), .none]
        let names = [try ServerName("good.test"), try ServerName("other.test"), nil]
        let instants = [0, 86400 * 3650, -86400 * 3650].map { pki.epoch.addingTimeInterval($0) }
        var questions: [TrustQuestion] = []
        for anchors in anchors {
            for name in names {
                for instant in instants {
                    for purpose in [TrustQuestion.Purpose.server, .client] {
                        questions.append(
                            TrustQuestion(
                                chain: chain, anchors: anchors, name: name, instant: instant, purpose: purpose))
                    }
                }
            }
        }
        return questions + questions.reversed()
    }

    @Test(arguments: [
        LabIdentityName.good, .crossSigned, .badSignature, .missingIntermediate, .expired, .mustStaple, .twinIssuers,
    ])
    func whatIsRememberedChangesNoAnswer(identity: LabIdentityName) async throws {
        let chain = try Self.pki.identity(identity).chain
        let knowing = ReferenceVerifier()
        for question in try Self.questions(about: chain) {
            #expect(await knowing.evaluate(question) == ReferenceVerifier().evaluate(question))
        }
    }

    /// The leaf that is remembered is that leaf: one that differs in its signature alone is another.
    @Test func aCopyWithAnotherSignatureIsJudgedByItself() async throws {
        let chain = try Self.pki.identity(.good).chain
        let verifier = ReferenceVerifier()
        func isAccepted(_ chain: [[UInt8]]) async throws -> Bool {
            await verifier.evaluate(
                TrustQuestion(
                    chain: chain, anchors: try Self.pki.anchors(), name: try ServerName("good.test"),
                    instant: Self.pki.epoch)
            ).isAccepted
        }
        #expect(try await isAccepted(chain))
        var forged = chain[0]
        forged[forged.count - 1] ^= 1
        #expect(try await !isAccepted([forged] + chain.dropFirst()))
        #expect(try await isAccepted(chain))
    }
}
