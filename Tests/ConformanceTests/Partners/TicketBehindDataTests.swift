import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// A server that asks for a client certificate, and sends the beginning of a response when the handshake is complete, before it
/// has read a request, then a ticket, and then the rest: the ticket accepts the client, and the response is not an answer.
@Suite(.bounded, .enabled(if: PartnerProcess.isInstalled("python3"), "python3 is not installed"))
struct TicketBehindDataTests {
    private static let pki = LabPKI(epoch: .now)

    /// OpenSSL's own server sends its tickets before any data.
    private static let program = """
        import ctypes, socket, sys
        chain, key, port = sys.argv[1:]
        try: tls = ctypes.CDLL("libssl.so.3")
        except OSError: tls = ctypes.CDLL("libssl.so")
        pointer = ctypes.c_void_p
        for function in (tls.TLS_server_method, tls.SSL_CTX_new, tls.SSL_new): function.restype = pointer
        context = pointer(tls.SSL_CTX_new(pointer(tls.TLS_server_method())))
        assert tls.SSL_CTX_use_certificate_chain_file(context, chain.encode()) == 1
        assert tls.SSL_CTX_use_PrivateKey_file(context, key.encode(), 1) == 1
        assert tls.SSL_CTX_set_num_tickets(context, ctypes.c_size_t(0)) == 1
        tls.SSL_CTX_set_verify(context, 1, None)
        listener = socket.create_server(("127.0.0.1", int(port)))
        while True:
            peer, _ = listener.accept()
            ssl = pointer(tls.SSL_new(context))
            tls.SSL_set_fd(ssl, peer.fileno())
            if tls.SSL_accept(ssl) == 1:
                for part in (b"HTTP/1.1 200 OK\\r\\n", b"Content-Length: 0\\r\\n\\r\\n"):
                    tls.SSL_write(ssl, part, len(part))
                    tls.SSL_new_session_ticket(ssl)
                    tls.SSL_do_handshake(ssl)
                buffer = ctypes.create_string_buffer(4096)
                while tls.SSL_read(ssl, buffer, 4096) > 0: pass
            tls.SSL_free(ssl)
            peer.close()
        """

    @Test(arguments: BackendsUnderTest.transports)
    func theResponseIsNotAnAnswer(_ transport: TransportUnderTest) async throws {
        let transport = try transport.get()
        let identity = try Self.pki.identity(.good)
        let folder = try PartnerFolder()
        let port = try LoopbackPort.free()
        let chain = try folder.write(identity.chainPEM, to: "chain.pem")
        let key = try folder.write(identity.keyPEM, to: "key.pem")
        let server = PartnerProcess(
            program: "python3", arguments: ["-c", Self.program, chain, key, String(port)], port: port)
        let name = try ServerName("good.test")
        // The server's first bytes end the wait for them.
        let report = try await HandshakeLimits.$refusalPatience.withValue(.seconds(600)) {
            try await server.run {
                await transport.handshake(
                    HandshakeRequest(
                        endpoint: Endpoint(host: .ip(.loopback4), port: port), serverName: name, alpn: ["http/1.1"],
                        anchors: try Self.pki.anchors(), instant: Self.pki.epoch, deadline: .after(.seconds(1800)),
                        exchange: HTTPExchange(with: Target(name: name)) { _ in true }))
            }
        }
        #expect(report.failure == nil && report.clientCertificateRequested == true)
        #expect(report.http?.outcome == .unavailable(reason: "the server sent data before the request"))
        withExtendedLifetime(folder) {}
    }
}
