import ProbeKit
import ProbeTrust
import SwiftASN1
import Testing
import X509

@Suite struct SystemAnchorsTests {
    /// An anchor that the reference verifier can't read would make every chain below it untrusted there alone.
    @Test func everyAnchorOfTheSystemIsRead() throws {
        let anchors = try TrustAnchors.system()
        #expect(!anchors.certificates.isEmpty)
        for der in anchors.certificates {
            #expect(throws: Never.self) { () throws in try Certificate(derEncoded: der) }
        }
    }

    /// It may not find fault with one either: each is asked about while it is valid, as a path of its own.
    @Test func everyAnchorOfTheSystemIsAccepted() async throws {
        let anchors = try TrustAnchors.system()
        let verifier = ReferenceVerifier()
        for der in anchors.certificates {
            let details = try CertificateDetails(certificate: der)
            let question = TrustQuestion(
                chain: [der], anchors: anchors, name: nil, instant: details.notBefore, purpose: .any)
            let reading = await verifier.evaluate(question)
            #expect(reading.isAccepted, "\(details.subject): \(reading.problems)")
        }
    }
}
