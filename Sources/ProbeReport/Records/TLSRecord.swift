import ProbeKit
import ProbeTrust

/// The negotiated parameters, or the progress of the handshake, as shown in reports.
struct TLSRecord: Encodable, Sendable {
    struct Failure: Encodable, Sendable {
        let code: HandshakeFailure.Code
        let message: String
        @Always var nativeCode: String?
        @Always var alert: UInt8?
        let afterHandshake: Bool
    }

    @Always var address: String?
    @Always var sni: String?
    @Always var version: TLSVersion?
    @Always var cipherSuite: String?
    @Always var group: String?
    @Always var alpn: String?
    @Always var ocspStaple: String?
    let handshakeSCTs: [String]
    @Always var clientCertificateRequested: Bool?
    @Always var clientCertificateRequestedLate: Bool?
    let clientCertificateIssuers: [String]
    @Always var clientCertificateSent: Bool?
    @Always var failure: Failure?

    init(_ connection: ConnectionEvidence) {
        let report = connection.report
        address = report.peerAddress
        sni = report.sniSent
        version = report.version
        cipherSuite = report.cipherSuite
        group = report.group
        alpn = report.alpn
        ocspStaple = report.ocspStaple.map(Base64.encode)
        handshakeSCTs = report.handshakeSCTs.map(Base64.encode)
        clientCertificateRequested = report.clientCertificateRequested
        clientCertificateRequestedLate = report.clientCertificateRequestedLate
        clientCertificateSent = report.clientCertificateSent
        clientCertificateIssuers = report.clientCertificateIssuers.map {
            DistinguishedNameText.of($0) ?? Base64.encode($0)
        }
        failure = report.failure.map {
            Failure(
                code: $0.code, message: $0.message, nativeCode: $0.nativeCode, alert: $0.alert?.rawValue,
                afterHandshake: $0.isAfterHandshake)
        }
    }
}
