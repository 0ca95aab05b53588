import ProbeKit
import ProbeLab
import ProbeRun
import SwiftASN1
import Testing

/// The findings about a client certificate that the server asked for, or did not.
@Suite struct ClientCertificateFindingTests {
    private static func findings(
        requested: Bool? = nil, sent: Bool? = nil, failure: HandshakeFailure? = nil, issuers: [[UInt8]] = []
    ) -> [Finding] {
        var report = failure.map { HandshakeReport(failure: $0) } ?? HandshakeReport()
        report.version = .tls12
        report.clientCertificateRequested = requested
        report.clientCertificateSent = sent
        report.clientCertificateIssuers = issuers
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "none", version: "0"), report: report, missing: [],
            certificates: [], referenceTrust: nil, anchors: .none, instant: TestConnection.pki.epoch)
        let evidence = Evidence(connection: connection, model: nil)
        return HandshakeCompletes().judge(evidence, at: TestConnection.pki.epoch)
            + ClientCertificateAsked().judge(evidence, at: TestConnection.pki.epoch)
    }

    private static let closed = HandshakeFailure(.connectionClosed, "the peer closed the connection")

    @Test func aCertificateThatWasSentIsNoted() {
        #expect(Self.findings(requested: true, sent: true).map(\.code) == ["client-certificate-sent"])
        #expect(Self.findings(requested: true, sent: false).map(\.code) == ["client-certificate-requested"])
        #expect(Self.findings(requested: true).map(\.code) == ["client-certificate-requested"])
    }

    @Test func oneThatNobodyAskedForIsNoted() {
        #expect(Self.findings(requested: false, sent: false).map(\.code) == ["client-certificate-not-sent"])
        // None was given.
        #expect(Self.findings(requested: false) == [])
        // Whether it would have asked isn't known.
        #expect(Self.findings(requested: false, sent: false, failure: Self.closed).map(\.code) == ["connection-closed"])
    }

    @Test func aRefusalNamesWhatWasRefused() {
        #expect(
            Self.findings(requested: true, sent: true, failure: Self.closed).map(\.code) == [
                "client-certificate-refused"
            ])
        #expect(
            Self.findings(requested: true, sent: false, failure: Self.closed).map(\.code)
                == ["client-certificate-required"])
        #expect(Self.findings(requested: true, failure: Self.closed).map(\.code) == ["client-certificate-required"])
        // Nothing was asked for, so that something else is wrong.
        #expect(Self.findings(requested: false, failure: Self.closed).map(\.code) == ["connection-closed"])
    }

    @Test func theIssuersItAcceptsAreShown() throws {
        let name = try TestChain.name([("a.lab.test", .utf8String)])
        let refused = Self.findings(requested: true, sent: true, failure: Self.closed, issuers: [name])
        #expect(refused.first?.message.contains(" (it asks for one of 'CN=a.lab.test'): ") == true, "\(refused)")
        let silent = Self.findings(requested: true, sent: true, failure: Self.closed)
        #expect(silent.first?.message.contains("it asks for one") == false)
        for (count, mark) in [(3, false), (4, true)] {
            let many = Self.findings(requested: true, issuers: Array(repeating: name, count: count))
            #expect(many.first?.message.contains(", …") == mark)
        }
    }
}
