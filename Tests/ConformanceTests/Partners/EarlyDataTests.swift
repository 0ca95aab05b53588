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

    /// Requires a client certificate, sends a response before the client's Finished, and refuses the client some time after it.
    private static let slowRefusal = """
        import ctypes, socket, sys, time
        chain, key, port = sys.argv[1:]
        try: tls = ctypes.CDLL("libssl.so.3")
        except OSError: tls = ctypes.CDLL("libssl.so")
        pointer = ctypes.c_void_p
        for function in (tls.TLS_server_method, tls.SSL_CTX_new, tls.SSL_new): function.restype = pointer
        context = pointer(tls.SSL_CTX_new(pointer(tls.TLS_server_method())))
        assert tls.SSL_CTX_use_certificate_chain_file(context, chain.encode()) == 1
        assert tls.SSL_CTX_use_PrivateKey_file(context, key.encode(), 1) == 1
        tls.SSL_CTX_set_verify(context, 3, None)
        response = b"HTTP/1.1 200 OK\\r\\nContent-Length: 0\\r\\n\\r\\n"
        listener = socket.create_server(("127.0.0.1", int(port)))
        while True:
            peer, _ = listener.accept()
            ssl = pointer(tls.SSL_new(context))
            tls.SSL_set_fd(ssl, peer.fileno())
            buffer, count = ctypes.create_string_buffer(4096), ctypes.c_size_t()
            if tls.SSL_read_early_data(ssl, buffer, ctypes.c_size_t(4096), ctypes.byref(count)) == 2:
                tls.SSL_write_early_data(ssl, response, ctypes.c_size_t(len(response)), ctypes.byref(count))
                time.sleep(2)
                tls.SSL_accept(ssl)
            try:
                peer.shutdown(socket.SHUT_WR)
                while peer.recv(4096): pass
            except OSError: pass
            tls.SSL_free(ssl)
            peer.close()
        """

    /// The refusal comes within the patience, and long after data could be an answer.
    @Test(
        .enabled(if: PartnerProcess.isInstalled("python3"), "python3 is not installed"),
        arguments: BackendsUnderTest.transports)
    func aResponseDoesNotEndTheWaitForARefusal(_ transport: TransportUnderTest) async throws {
        let transport = try transport.get()
        let identity = try Self.pki.identity(.good)
        let folder = try PartnerFolder()
        let port = try LoopbackPort.free()
        let chain = try folder.write(identity.chainPEM, to: "chain.pem")
        let key = try folder.write(identity.keyPEM, to: "key.pem")
        let server = PartnerProcess(
            program: "python3", arguments: ["-c", Self.slowRefusal, chain, key, String(port)], port: port)
        let report = try await HandshakeLimits.$refusalPatience.withValue(.seconds(600)) {
            try await server.run {
                await transport.handshake(
                    try Self.request(
                        to: Endpoint(host: .ip(.loopback4), port: port), over: "http/1.1"))
            }
        }
        #expect(report.failure?.isAfterHandshake == true && report.failure?.alert == .certificateRequired)
        #expect(report.clientCertificateRequested == true && report.http == nil)
        withExtendedLifetime(folder) {}
    }
}
