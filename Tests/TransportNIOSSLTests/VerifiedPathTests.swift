import Foundation
import ProbeKit
import ProbeLab
import Testing
import TransportNIOSSL

/// A verified path is remembered by everything that it depends on: a transport that has verified others before answers
/// like a new one.
@Suite struct VerifiedPathTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_790_000_000))

    private static func questions() throws -> [TrustQuestion] {
        let chain = try pki.identity(.good).chain
        let chains = [chain, [chain[0]], try pki.identity(.expired).chain, try pki.identity(.badSignature).chain]
        let anchors = [try pki.anchors(), TrustAnchors(name: "others", certificates: [chain[0]])]
        let names = [try ServerName("good.test"), try ServerName("other.test"), nil]
        let seconds: [TimeInterval] = [0, 0.5, 1, 86400 * 3650]
        var explicit = TrustQuestion.PolicyInputs()
        explicit.requiresExplicitPolicy = true
        var questions: [TrustQuestion] = []
        for chain in chains {
            for anchors in anchors {
                for name in names {
                    for second in seconds {
                        for purpose in TrustQuestion.Purpose.allCases {
                            for policies in [TrustQuestion.PolicyInputs(), explicit] {
                                for depth in [nil, 0] as [Int?] {
                                    questions.append(
                                        TrustQuestion(
                                            chain: chain, anchors: anchors, name: name,
                                            instant: pki.epoch.addingTimeInterval(second), purpose: purpose,
                                            maxDepth: depth, policies: policies))
                                }
                            }
                        }
                    }
                }
            }
        }
        return questions
    }

    @Test func whatIsRememberedChangesNoAnswer() async throws {
        let knowing = NIOSSLTransport()
        let questions = try Self.questions()
        var answers: Set<TrustReading> = []
        for question in questions + questions.reversed() {
            let answer = await knowing.evaluateTrust(question)
            let fresh = await NIOSSLTransport().evaluateTrust(question)
            #expect(answer == fresh)
            answers.insert(answer)
        }
        // Else the questions would not tell one key from another.
        #expect(answers.count > 8, "\(answers.count)")
    }
}
