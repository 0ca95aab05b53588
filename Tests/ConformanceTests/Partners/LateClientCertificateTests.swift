import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

/// Apache asks for a client certificate after the handshake, of clients that offered to be asked then (RFC 8446 sections 4.2.6
/// and 4.6.2).
@Suite(.bounded, .enabled(if: ApachePartner.isInstalled, "apache2 is not installed"))
struct LateClientCertificateTests {
    private static let pki = LabPKI(epoch: .now)
    /// BoringSSL's client has no such extension.
    private static let unable = "nio"

    private static func probe(
        with name: LabIdentityName?, serverDate: ServerDateMode = .always
    ) async throws -> [(name: String, report: HandshakeReport, verdict: Verdict)] {
        let identity = try name.map { try pki.identity($0).asClient }
        let transports = try BackendsUnderTest.transports.map { try $0.get() }
        return try await ApachePartner.run(pki.identity(.good), requiring: pki.rootPEM()) { endpoint in
            let check = Check(
                target: Target(name: try ServerName("good.test"), connect: endpoint), anchors: try pki.anchors(),
                alpn: ["http/1.1"], serverDate: serverDate, timeout: .seconds(300), clientIdentity: identity)
            return try await Prober().probe(check, through: transports, resolvers: []).map {
                let connection = try #require($0.evidence.connection)
                return (connection.transport.name, connection.report, $0.verdict)
            }
        }
    }

    @Test func itIsSent() async throws {
        for (name, report, verdict) in try await Self.probe(with: .clientPurpose) {
            #expect(report.clientCertificateRequested == false, "\(name): \(verdict.findings)")
            if name == Self.unable {
                #expect(report.clientCertificateRequestedLate == nil && report.clientCertificateSent == false)
                #expect(report.http?.response?.status == 403)
                #expect(
                    verdict.findings.contains {
                        $0.code == "client-certificate-not-sent" && $0.message.contains("does not let it ask after")
                    }, "\(verdict.findings)")
                continue
            }
            #expect(verdict.outcome == .pass, "\(name): \(verdict.findings)")
            #expect(report.clientCertificateRequestedLate == true && report.clientCertificateSent == true, "\(name)")
            #expect(report.clientCertificateIssuers.count == 1, "\(name)")
            #expect(report.http?.response?.status == 200, "\(name)")
            #expect(
                verdict.findings.contains {
                    $0.code == "client-certificate-sent" && $0.message.contains("after the handshake")
                        && $0.message.contains("status 200")
                }, "\(name): \(verdict.findings)")
        }
    }

    @Test(arguments: [
        (LabIdentityName.unknownIssuer, HandshakeFailure.Alert.unknownAuthority), (.expired, .certificateExpired),
    ])
    func itIsRefused(client: LabIdentityName, alert: HandshakeFailure.Alert) async throws {
        for (name, report, verdict) in try await Self.probe(with: client) where name != Self.unable {
            #expect(verdict.outcome == .handshakeFailed, "\(name): \(verdict.findings)")
            #expect(verdict.decidingFinding?.code == "client-certificate-refused", "\(name): \(verdict.findings)")
            #expect(report.clientCertificateRequestedLate == true && report.clientCertificateSent == true, "\(name)")
            #expect(report.failure?.alert == alert && report.failure?.isAfterHandshake == true, "\(name)")
            #expect(report.http?.response == nil, "\(name)")
        }
    }

    /// Without one nothing is offered, except by libcurl, which lets every server ask.
    @Test func thereIsNone() async throws {
        for (name, report, verdict) in try await Self.probe(with: nil) {
            #expect(report.clientCertificateSent == nil, "\(name)")
            if name == "curl" {
                #expect(report.clientCertificateRequestedLate == true, "\(verdict.findings)")
                #expect(verdict.decidingFinding?.code == "client-certificate-required", "\(verdict.findings)")
                #expect(report.failure?.alert == .certificateRequired, "\(verdict.findings)")
            } else {
                #expect(report.clientCertificateRequestedLate == nil, "\(name): \(verdict.findings)")
                #expect(report.http?.response?.status == 403, "\(name): \(verdict.findings)")
            }
        }
    }

    /// A server that goes on asking is answered as often as the limit says, and the handshake stands.
    @Test(
        .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"),
        arguments: BackendsUnderTest.transports)
    func requestsWithoutEndCostTheResponseAlone(_ transport: TransportUnderTest) async throws {
        let transport = try transport.get()
        guard transport.identity.name != Self.unable else { return }
        let server = OpenSSLServer(
            presented: .repeatedLeaf(of: try Self.pki.identity(.good)), version: .tls13,
            authorities: try Self.pki.rootPEM())
        let requests = "while :; do echo c; sleep 0.01; done &"
        let result = try await server.run(answering: ["CIPHER is": requests]) { endpoint in
            let check = Check(
                target: Target(name: try ServerName("good.test"), connect: endpoint),
                anchors: try Self.pki.anchors(), serverDate: .always, timeout: .seconds(300),
                clientIdentity: try Self.pki.identity(.clientPurpose).asClient)
            return await Prober().probe(check, through: [transport], resolvers: [])
        }
        let report = try #require(result.first?.evidence.connection?.report)
        #expect(report.failure == nil && report.version == .tls13)
        #expect(report.clientCertificateRequestedLate == true && report.clientCertificateSent == true)
        guard case .unavailable(let reason)? = report.http?.outcome else {
            Issue.record("\(report.http.debugDescription)")
            return
        }
        #expect(reason.contains("more than 4 times after the handshake"), "\(reason)")
    }

    /// Without a request Apache has nothing to ask for.
    @Test func nothingIsRequested() async throws {
        for (name, report, verdict) in try await Self.probe(with: .clientPurpose, serverDate: .never) {
            #expect(verdict.outcome == .pass, "\(name): \(verdict.findings)")
            #expect(report.clientCertificateRequestedLate == (name == Self.unable ? nil : false), "\(name)")
            #expect(report.clientCertificateSent == false, "\(name)")
        }
    }
}
