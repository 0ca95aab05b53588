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

    /// Bytes that are not a certificate, of which the stack shows a key, or does not.
    @Test(
        arguments: [
            (.spki([0x30]), true, "error key-readings-disagree"),
            (.spki([0x30]), false, "warning malformed-certificate"),
            (.unreadable("odd"), true, "warning malformed-certificate"),
            (.unanswered("it died"), true, "warning malformed-certificate"),
        ] as [(KeyReading, Bool, String)])
    func whatIsNotACertificate(reading: KeyReading, counts: Bool, expected: String) {
        let certificate = CertificateEvidence(der: [0x30, 0x80], source: .presented, stackKey: reading)
        let findings = KeyEncodingsAgree().judge(certificate, at: 3, transport: "test", counts: counts)
        #expect(findings.map { "\($0.severity.rawValue) \($0.code)" } == [expected])
        #expect(findings.allSatisfy { $0.message.contains("certificate 3") })
    }

    @Test(
        arguments: [
            (nil, []), (.confirmed, []), (.denied, ["error pin-checks-disagree"]),
            (.unanswered(HandshakeFailure(.handshakeTimeout, "late")), ["warning pin-check-unanswered"]),
        ] as [(KeyConfirmation?, [String])])
    func theLibrarysOwnPinCheck(confirmation: KeyConfirmation?, expected: [String]) {
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "none", version: "0"), report: HandshakeReport(),
            missing: [], certificates: [], keyConfirmation: confirmation, referenceTrust: nil, anchors: .none,
            instant: TestConnection.pki.epoch)
        let findings = KeyEncodingsAgree().judge(
            Evidence(connection: connection, model: nil), at: TestConnection.pki.epoch)
        #expect(findings.map { "\($0.severity.rawValue) \($0.code)" } == expected)
    }

    /// Without a path the leaf is what a verdict rests on, and nothing else.
    @Test func withoutAPathTheLeafCounts() throws {
        let path = try TestConnection.path()
        let certificates = path.map {
            CertificateEvidence(der: $0, source: .presented, stackKey: .unreadable("by the test"))
        }
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "none", version: "0"), report: HandshakeReport(),
            missing: [], certificates: certificates, referenceTrust: nil, anchors: .none,
            instant: TestConnection.pki.epoch)
        let findings = KeyEncodingsAgree().judge(
            Evidence(connection: connection, model: nil), at: TestConnection.pki.epoch)
        #expect(findings.map(\.severity) == [.error, .note, .note])
    }
}
