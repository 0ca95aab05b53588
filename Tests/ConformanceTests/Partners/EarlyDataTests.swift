import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

/// Servers that ask for a client certificate, and send data before there is a request: the data may be for a client that has
/// not authenticated (RFC 8446 section 2), and do not answer a request that was not made.
@Suite(.bounded, .enabled(if: TLSPartner.openssl.isInstalled, "openssl is not installed"))
struct EarlyDataTests {
    private static let pki = LabPKI(epoch: .now)
    private static let response = "HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n"
    /// A frame of HTTP/2 without settings (RFC 9113 section 6.5).
    private static let settings = "\\000\\000\\000\\004\\000\\000\\000\\000\\000"

    /// Runs a server that sends data, in the escapes of printf, when the handshake is complete, and ends the connection when
    /// it is sent a line with these words. It sends no tickets, which would accept the client.
    private static func run<Value: Sendable>(
        sending data: String, over alpn: String, endingAt words: String = "none",
        _ body: @Sendable (Endpoint) async throws -> Value
    ) async throws -> Value {
        let server = OpenSSLServer(
            presented: .repeatedLeaf(of: try pki.identity(.good)), version: .tls13, clients: .optional(depth: 1),
            authorities: try pki.rootPEM(), further: ["-num_tickets", "0", "-alpn", alpn])
        return try await server.run(answering: ["CIPHER is": "printf '\(data)'", words: "echo q"], body)
    }

    private static func curl() throws -> any Transport {
        try #require(try BackendsUnderTest.transports.map { try $0.get() }.first { $0.identity.name == "curl" })
    }

    private static func request(
        to endpoint: Endpoint, over alpn: String, within time: Duration = .seconds(1800)
    ) throws -> HandshakeRequest {
        let name = try ServerName("good.test")
        return HandshakeRequest(
            endpoint: endpoint, serverName: name, alpn: [alpn], anchors: try pki.anchors(), instant: pki.epoch,
            deadline: .after(time), exchange: HTTPExchange(with: Target(name: name)) { _ in true })
    }

    /// The handshake takes a second, and the end comes long before as much again.
    @Test(arguments: BackendsUnderTest.transports)
    func aResponseWithAnEarlyEndIsARefusal(_ transport: TransportUnderTest) async throws {
        let transport = try transport.get()
        try await Self.run(sending: Self.response, over: "http/1.1") { server in
            let relay = try await SlowRelay.start(to: server, pause: .seconds(1), end: .behindData)
            let check = Check(
                target: Target(name: try ServerName("good.test"), connect: relay.endpoint),
                anchors: try Self.pki.anchors(), alpn: ["http/1.1"], serverDate: .always, timeout: .seconds(1800))
            var results = await Prober().probe(check, through: [transport], resolvers: [])
            // A machine with much to do may be late by a second.
            for _ in 0..<20 where results.first?.evidence.connection?.report.failure == nil {
                results = await Prober().probe(check, through: [transport], resolvers: [])
            }
            await relay.stop()
            let result = try #require(results.first)
            #expect(result.verdict.outcome == .handshakeFailed, "\(result.verdict.findings)")
            #expect(result.verdict.decidingFinding?.code == "client-certificate-required")
            #expect(result.evidence.connection?.report.http == nil)
        }
    }

    /// A server that is slow to refuse sent it before it could read the request.
    @Test(arguments: BackendsUnderTest.transports)
    func aResponseBeforeTheRequestIsNotAnAnswer(_ transport: TransportUnderTest) async throws {
        let transport = try transport.get()
        let report = try await Self.run(sending: Self.response, over: "http/1.1") { server in
            var report = await transport.handshake(try Self.request(to: server, over: "http/1.1"))
            // A machine with much to do may be late by the time in which servers refuse.
            for _ in 0..<20 where report.http?.response != nil {
                report = await transport.handshake(try Self.request(to: server, over: "http/1.1"))
            }
            return report
        }
        #expect(report.failure == nil && report.clientCertificateRequested == true)
        #expect(report.http?.outcome == .unavailable(reason: "the server sent data before the request"))
    }

    /// The server's settings come early, and its end once it was sent a request. libcurl waits for an early end about as long
    /// as the handshake took; where the deadline leaves less, the end may be one.
    @Test(arguments: [(Duration.seconds(5), true), (.seconds(1800), false)])
    func anEndThatMayBeEarlyIsARefusal(time: Duration, isRefusal: Bool) async throws {
        let transport = try Self.curl()
        let report = try await Self.run(sending: Self.settings, over: "h2", endingAt: "PRI *") { server in
            let relay = try await SlowRelay.start(to: server, pause: .seconds(2))
            var report = await transport.handshake(try Self.request(to: relay.endpoint, over: "h2", within: time))
            // A machine with much to do may miss the short deadline.
            for _ in 0..<20 where (report.failure?.isAfterHandshake == true) != isRefusal {
                report = await transport.handshake(try Self.request(to: relay.endpoint, over: "h2", within: time))
            }
            await relay.stop()
            return report
        }
        #expect((report.failure?.isAfterHandshake == true) == isRefusal, "\(report.failure.debugDescription)")
        #expect(report.clientCertificateRequested == true && report.http?.response == nil)
    }
}
