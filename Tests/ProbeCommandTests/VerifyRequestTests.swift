import Foundation
import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeTestSupport
import ProbeTrust
import Testing

@testable import ProbeCommand

/// A question that a search hands to its workers, and writes down to be asked again, asks for all that it asked for.
@Suite struct VerifyRequestTests {
    @Test(arguments: ["good.test", "192.0.2.1", "2001:db8::1", nil]) func aLineIsTheQuestion(name: String?) throws {
        let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))
        let policies = TrustQuestion.PolicyInputs(
            acceptable: [try #require(PolicyIdentifier("2.23.140.1.2.1")), .any], requiresExplicitPolicy: true,
            inhibitsAnyPolicy: true, inhibitsMapping: true)
        let questions = [
            TrustQuestion(
                chain: try pki.identity(.good).chain,
                anchors: try pki.anchors().with(revocationLists: [pki.encode(LabRevocationList())]),
                name: try name.map { try ServerName($0) }, instant: pki.epoch, purpose: .client, maxDepth: 3,
                policies: policies),
            TrustQuestion(
                chain: try pki.identity(.good).chain, anchors: try pki.anchors(),
                name: try name.map { try ServerName($0) },
                instant: pki.epoch),
        ]
        for question in questions {
            let line = Data(JSONText.line(VerifyRequest("1", question)).utf8)
            let read = try JSONDecoder().decode(VerifyRequest.Line.self, from: line)
            #expect(read.unknown == nil)
            let asked = try read.request.question(now: .distantPast)
            #expect(asked.chain == question.chain && asked.name == question.name && asked.instant == question.instant)
            #expect(asked.anchors.certificates == question.anchors.certificates)
            #expect(asked.anchors.revocationLists == question.anchors.revocationLists)
            #expect(asked.purpose == question.purpose && asked.maxDepth == question.maxDepth)
            #expect(asked.policies == question.policies)
        }
    }
}
