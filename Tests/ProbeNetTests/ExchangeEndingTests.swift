import ProbeKit
import Testing

@testable import ProbeNet

/// The bearing of the end of a connection that was used for a request on the report of the handshake before it.
@Suite struct ExchangeEndingTests {
    private static let alert = RecordFailure("certificate required", alert: .certificateRequired)

    private static func failure(
        requested: Bool?, version: TLSVersion = .tls13, answer: HTTPReport.Answer = .unavailable(reason: "no response"),
        late: LateCertificateRequest? = nil, end: RecordFailure? = alert
    ) -> HandshakeFailure? {
        var report = HandshakeReport()
        report.version = version
        report.clientCertificateRequested = requested
        let ending = ExchangeEnding(http: HTTPReport(answer), certificateRequest: late, end: end)
        ending.fill(&report)
        #expect(report.http == ending.http)
        return report.failure
    }

    @Test func anAlertInsteadOfTheResponseIsARefusal() {
        let late = LateCertificateRequest(issuers: [], isAnswered: false)
        for failure in [Self.failure(requested: true), Self.failure(requested: false, late: late)] {
            #expect(failure?.alert == .certificateRequired && failure?.isAfterHandshake == true)
        }
    }

    @Test func aClientThatWasNotAskedOrWasAnsweredWasNotRefused() {
        #expect(Self.failure(requested: false) == nil)
        #expect(Self.failure(requested: nil) == nil)
        #expect(Self.failure(requested: true, version: .tls12) == nil)
        let response = HTTPReport.Response(version: "http/1.1", status: 200)
        #expect(Self.failure(requested: true, answer: .response(response)) == nil)
    }

    /// The request may be what the server does not like.
    @Test(arguments: [nil, .closed, RecordFailure("user canceled", alert: .userCanceled)] as [RecordFailure?])
    func aCloseIsNotARefusal(end: RecordFailure?) {
        #expect(Self.failure(requested: true, end: end) == nil)
    }
}
