import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// A server that asks for a client certificate, and sends something when the handshake is complete and before it has read a
/// request. Data among it are not an answer, whatever is before or behind them, and the data behind the request are one.
@Suite(.bounded, .enabled(if: PartnerProcess.isInstalled("python3"), "python3 is not installed"))
struct TicketBehindDataTests {
    private static let pki = LabPKI(epoch: .now)

    /// Sends some messages before the request, in one segment, and others when it has read it. OpenSSL's own server sends its
    /// tickets before any data.
    private static let program = """
        import ctypes, socket, sys
        chain, key, port, before, after = sys.argv[1:]
        try: tls = ctypes.CDLL("libssl.so.3")
        except OSError: tls = ctypes.CDLL("libssl.so")
        pointer = ctypes.c_void_p
        for function in (tls.TLS_server_method, tls.SSL_CTX_new, tls.SSL_new): function.restype = pointer
        context = pointer(tls.SSL_CTX_new(pointer(tls.TLS_server_method())))
        assert tls.SSL_CTX_use_certificate_chain_file(context, chain.encode()) == 1
        assert tls.SSL_CTX_use_PrivateKey_file(context, key.encode(), 1) == 1
        assert tls.SSL_CTX_set_num_tickets(context, ctypes.c_size_t(0)) == 1
        tls.SSL_CTX_set_verify(context, 1, None)
        parts = {"line": b"HTTP/1.1 200 OK\\r\\n", "rest": b"Content-Length: 0\\r\\n\\r\\n"}
        def send(ssl, words):
            for word in words.split():
                if word in parts: tls.SSL_write(ssl, parts[word], len(parts[word]))
                else:
                    if word == "ticket": tls.SSL_new_session_ticket(ssl)
                    if word == "update": tls.SSL_key_update(ssl, 0)
                    tls.SSL_do_handshake(ssl)
        listener = socket.create_server(("127.0.0.1", int(port)))
        while True:
            peer, _ = listener.accept()
            def hold(isHeld):
                if hasattr(socket, "TCP_CORK"): peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_CORK, isHeld)
            ssl = pointer(tls.SSL_new(context))
            tls.SSL_set_fd(ssl, peer.fileno())
            if tls.SSL_accept(ssl) == 1:
                hold(1)
                send(ssl, before)
                hold(0)
                buffer = ctypes.create_string_buffer(4096)
                if tls.SSL_read(ssl, buffer, 4096) > 0: send(ssl, after)
                while tls.SSL_read(ssl, buffer, 4096) > 0: pass
            tls.SSL_free(ssl)
            peer.close()
        """

    private static func handshake(
        _ transport: TransportUnderTest, before: String, after: String = ""
    ) async throws -> HandshakeReport {
        let transport = try transport.get()
        let identity = try Self.pki.identity(.good)
        let folder = try PartnerFolder()
        defer { withExtendedLifetime(folder) {} }
        let port = try LoopbackPort.free()
        let chain = try folder.write(identity.chainPEM, to: "chain.pem")
        let key = try folder.write(identity.keyPEM, to: "key.pem")
        let server = PartnerProcess(
            program: "python3", arguments: ["-c", Self.program, chain, key, String(port), before, after], port: port)
        let name = try ServerName("good.test")
        return try await server.run {
            await transport.handshake(
                HandshakeRequest(
                    endpoint: Endpoint(host: .ip(.loopback4), port: port), serverName: name, alpn: ["http/1.1"],
                    anchors: try Self.pki.anchors(), instant: Self.pki.epoch, deadline: .after(.seconds(1800)),
                    exchange: HTTPExchange(with: Target(name: name)) { _ in true }))
        }
    }

    /// The ticket ends the wait for a refusal, before the data or behind the first of them.
    @Test(arguments: BackendsUnderTest.transports, ["ticket line rest", "line ticket rest ticket"])
    func aResponseBeforeTheRequestIsNotAnAnswer(_ transport: TransportUnderTest, before: String) async throws {
        let report = try await HandshakeLimits.$refusalPatience.withValue(.seconds(600)) {
            try await Self.handshake(transport, before: before)
        }
        #expect(report.failure == nil && report.clientCertificateRequested == true)
        #expect(report.http?.outcome == .unavailable(reason: "the server sent data before the request"))
    }

    @Test(arguments: BackendsUnderTest.transports)
    func aResponseBehindAnUpdateOfKeysIsAnAnswer(_ transport: TransportUnderTest) async throws {
        let report = try await Self.handshake(transport, before: "update", after: "line rest ticket")
        #expect(report.failure == nil && report.clientCertificateRequested == true)
        #expect(report.http?.response?.status == 200, "\(String(describing: report.http))")
    }
}
