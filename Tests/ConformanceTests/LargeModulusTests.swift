import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// A server's Diffie-Hellman modulus that takes seconds to compute with, on a thread that other handshakes wait for.
@Suite(.bounded) struct LargeModulusTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    /// Returns a ServerKeyExchange (RFC 5246 section 7.4.3) with an odd modulus of so many bits, and a signature that is not
    /// one: a stack that goes as far as the signature fails there.
    private static func keyExchange(bits: Int) -> [UInt8] {
        func vector(_ bytes: [UInt8]) -> [UInt8] { [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xff)] + bytes }
        var modulus = [UInt8](repeating: 0xa5, count: (bits + 7) / 8)
        modulus[0] = 1 << UInt8((bits - 1) % 8)
        let parameters = vector(modulus) + vector([2]) + vector([4])
        let signature: [UInt8] = [4, 1] + vector([UInt8](repeating: 1, count: 256))
        return parameters + signature
    }

    /// TLS_DHE_RSA_WITH_AES_128_GCM_SHA256; NIOSSL has no such suites. OpenSSL has a bound of its own, of 10,000 bits.
    @Test(
        arguments: BackendsUnderTest.transports.filter { $0.testDescription != "nio" },
        [8185, 8192, 8193, 9999, 10_001])
    func aModulusIsBounded(subject: TransportUnderTest, bits: Int) async throws {
        let transport = try subject.get()
        let flight = ServerFlight.records(
            try Self.pki.identity(.rsa2048).chain, suite: [0, 0x9e], keyExchange: Self.keyExchange(bits: bits))
        let peer = LabPeer.script(LabScript(on: .clientHello, bytes: flight))
        let report = try await LabServer.run(peer, pki: Self.pki) { server in
            await transport.handshake(
                HandshakeRequest(
                    endpoint: server.endpoint, serverName: try ServerName("good.test"), anchors: try Self.pki.anchors(),
                    instant: Self.pki.epoch, deadline: .after(.seconds(1800))))
        }
        let failure = try #require(report.failure)
        #expect(failure.code == .protocolError, "\(failure)")
        #expect(failure.message.contains("modulus is larger than 8192 bits") == (bits > 8192), "\(failure)")
        #expect(report.chain == (try Self.pki.identity(.rsa2048).chain))
    }
}
