import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

/// A server that asks for a client certificate in TLS 1.3 and ends the connection without a word: right after the handshake
/// that is its refusal; once it has read the request, the request may be what it does not like.
@Suite(.bounded, .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"))
struct RefusalMomentTests {
    private static let pki = LabPKI(epoch: .now)

    /// Returns the result with a server that ends each connection when it prints a line with these words.
    private static func probe(
        _ transport: TransportUnderTest, endingAt words: String
    ) async throws -> (report: HandshakeReport, verdict: Verdict) {
        let transport = try transport.get()
        let server = OpenSSLServer(
            presented: .repeatedLeaf(of: try pki.identity(.good)), version: .tls13, clients: .optional(depth: 1),
            authorities: try pki.rootPEM(), further: ["-num_tickets", "0"])
        let results = try await server.run(answering: [words: "echo q"]) { endpoint in
            let check = Check(
                target: Target(name: try ServerName("good.test"), connect: endpoint), anchors: try pki.anchors(),
                alpn: ["http/1.1"], serverDate: .always, timeout: .seconds(1200))
            return await Prober().probe(check, through: [transport], resolvers: [])
        }
        let result = try #require(results.first)
        return (try #require(result.evidence.connection?.report), result.verdict)
    }

    @Test(arguments: BackendsUnderTest.transports)
    func rightAfterTheHandshakeItIsARefusal(_ transport: TransportUnderTest) async throws {
        // The server ends it as late as it likes.
        let (report, verdict) = try await HandshakeLimits.$refusalPatience.withValue(.seconds(600)) {
            try await Self.probe(transport, endingAt: "CIPHER is")
        }
        #expect(verdict.outcome == .handshakeFailed, "\(verdict.findings)")
        #expect(verdict.decidingFinding?.code == "client-certificate-required", "\(verdict.findings)")
        #expect(report.failure?.isAfterHandshake == true && report.clientCertificateRequested == true)
        // A client that was refused before the request has no result of it.
        #expect(report.http == nil && !verdict.findings.contains { $0.code == "server-date-unknown" })
    }

    @Test(arguments: BackendsUnderTest.transports)
    func afterTheRequestItIsNotOne(_ transport: TransportUnderTest) async throws {
        let (report, verdict) = try await Self.probe(transport, endingAt: "HEAD /")
        #expect(verdict.outcome == .passWithWarnings, "\(verdict.findings)")
        #expect(report.failure == nil && report.http?.response == nil)
        let finding = verdict.findings.first { $0.code == "client-certificate-requested" }
        #expect(finding?.message.contains("is not known") == true, "\(verdict.findings)")
    }
}
