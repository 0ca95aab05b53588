import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing
import TransportCurl

/// Bytes in clear text after a handshake in which the server asked for a client certificate: anyone on the way can write them,
/// so that they are not the server's refusal.
@Suite(.bounded) struct LateTamperingTests {
    /// An alert certificate_required that nobody encrypted.
    private static let alert: [UInt8] = [21, 3, 3, 0, 2, 2, 116]
    /// A record of application data that looks encrypted.
    private static let forged: [UInt8] = [23, 3, 3, 0, 20] + [UInt8](repeating: 0xaa, count: 20)

    @Test(arguments: [
        (alert, "bad record type"), (forged, "bad record mac"),
        (Array("HTTP/1.1 400 Bad Request\r\n\r\n".utf8), "wrong version number"),
    ])
    func theyAreBrokenRecords(bytes: [UInt8], words: String) async throws {
        // ServerHello, ChangeCipherSpec and one record with all the rest come before.
        try await expect(words, injecting: bytes, before: 3)
    }

    /// A server may send data to a client that it refuses afterwards (RFC 8446 section 2).
    @Test func theyAreReadBehindData() async throws {
        try await expect("bad record mac", injecting: Self.forged, before: 4)
    }

    /// Expects that the handshake fails in OpenSSL's words, if bytes are injected before one of the server's records.
    private func expect(_ words: String, injecting bytes: [UInt8], before record: Int) async throws {
        let recipe = LabTLSRecipe(
            .good, versions: .tls13 ... .tls13, asksForCertificate: true,
            tampering: LabTampering(.inject(bytes), on: .server(record)),
            service: .script(LabScript(on: .accept, bytes: [0], refrain: record > 3 ? [0] : [])))
        try await LabServer.run(.tls(recipe), pki: Fixture.pki) { server in
            let transport = CurlTransport()
            var report = await transport.handshake(try Fixture.request(to: server.endpoint))
            // The wait for a refusal is short, and a machine with much to do may be late.
            for _ in 0..<20 where report.failure == nil {
                report = await transport.handshake(try Fixture.request(to: server.endpoint))
            }
            let failure = try #require(report.failure)
            #expect(failure.code == .protocolError && failure.isAfterHandshake, "\(failure)")
            #expect(failure.message.hasPrefix("reading: ") && failure.message.hasSuffix(words), "\(failure)")
            #expect(failure.nativeCode?.hasPrefix("CURLE_RECV_ERROR error:0A") == true)
            #expect(report.clientCertificateRequested == true && report.version == .tls13)
        }
    }
}
