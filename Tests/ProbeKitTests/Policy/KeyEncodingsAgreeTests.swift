import ProbeKit
import ProbeLab
import ProbePins
import ProbeTrust
import Testing

/// A backend that reads another key, that can't read one, and that did not answer are three things.
@Suite struct KeyEncodingsAgreeTests {
    @Test(
        arguments: [
            (.spki([0x30, 0x00]), .readingsDisagree, "key-readings-disagree"),
            (.unreadable("odd"), .readingsDisagree, "key-readings-disagree"),
            (.unanswered("it died"), .internalError, "unanswered-key"),
        ] as [(KeyReading, Outcome, String)])
    func whatAReadingComesTo(reading: KeyReading, outcome: Outcome, code: String) throws {
        let certificate = CertificateEvidence(
            der: try TestConnection.path()[0], source: .presented, stackKey: reading)
        func findings(counts: Bool) -> [Finding] {
            KeyEncodingsAgree().judge(certificate, at: 0, transport: "test", counts: counts)
        }
        let counted = findings(counts: true)
        #expect(counted.map(\.code) == [code])
        #expect(counted.map(\.severity) == [.error])
        #expect(Verdict(counted).outcome == outcome)
        // If no verdict depends on the certificate, only another key is worth an error.
        if case .spki = reading { return }
        #expect(findings(counts: false).map(\.severity) == [.note])
    }

    @Test func theSameKeyIsNoFinding() throws {
        let leaf = try TestConnection.path()[0]
        let slices = try CertificateSlices(certificate: leaf.span)
        let certificate = CertificateEvidence(
            der: leaf, source: .presented, stackKey: .spki(Array(leaf[slices.spki])))
        #expect(KeyEncodingsAgree().judge(certificate, at: 0, transport: "test", counts: true).isEmpty)
    }
}
