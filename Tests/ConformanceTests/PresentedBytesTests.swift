import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

/// A server that presents what no library serves: a stack reports its bytes, and the reason why it refuses.
@Suite(.bounded) struct PresentedBytesTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    /// A way to write a certificate's outer length that is not DER (X.690 section 10.1).
    enum Form: CaseIterable {
        /// The indefinite form, which BER alone has.
        case indefinite
        /// A length with one octet more than it needs.
        case padded

        /// Returns the same certificate, whose length has two octets in DER.
        func form(of der: [UInt8]) -> [UInt8] {
            switch self {
            case .indefinite: [0x30, 0x80] + der.dropFirst(4) + [0, 0]
            case .padded: [0x30, 0x83, 0] + der.dropFirst(2)
            }
        }
    }

    private func report(_ subject: TransportUnderTest, of flight: [UInt8]) async throws -> HandshakeReport {
        let transport = try subject.get()
        let peer = LabPeer.script(LabScript(on: .clientHello, bytes: flight, end: .close))
        return try await LabServer.run(peer, pki: Self.pki) { server in
            await transport.handshake(
                HandshakeRequest(
                    endpoint: server.endpoint, serverName: try ServerName("good.test"), anchors: try Self.pki.anchors(),
                    instant: Self.pki.epoch, deadline: .after(.seconds(1800))))
        }
    }

    /// A stack's encoding of what it parsed is not what the server sent: such a certificate would look like DER, and a pin on
    /// the bytes presented would not match.
    @Test(arguments: BackendsUnderTest.transports, Form.allCases)
    func theBytesAreTheServers(subject: TransportUnderTest, form: Form) async throws {
        let identity = try Self.pki.identity(.rsa2048)
        let leaf = form.form(of: identity.leaf)
        let chain = [leaf] + identity.chain.dropFirst()
        let report = try await report(subject, of: ServerFlight.records(chain))
        // A stack that refuses the certificate may have nothing to report.
        #expect(
            report.chain == chain || report.failure?.code == .protocolError && report.chain.isEmpty,
            "\(report.failure?.description ?? "no failure")")
        if let path = report.nativeTrust?.path { #expect(path.first == leaf) }
        if ["openssl", "curl"].contains(subject.testDescription) {
            #expect(report.chain == chain && report.keys.first == .spki(identity.key.spki))
            #expect(report.nativeTrust?.isAccepted == true)
        }
    }

    /// OpenSSL drops the whole chain for one certificate that it can't parse; its message has it.
    @Test(
        arguments: BackendsUnderTest.transports.filter { ["openssl", "curl"].contains($0.testDescription) }, [0, 1])
    func whatOpenSSLDropsIsReported(subject: TransportUnderTest, depth: Int) async throws {
        let identity = try Self.pki.identity(.rsa2048)
        var chain = Array(identity.chain.prefix(2))
        chain[depth] = Array("not a certificate".utf8)
        let report = try await report(subject, of: ServerFlight.records(chain))
        #expect(report.failure?.code == .protocolError && report.failure?.nativeCode?.contains("error:") == true)
        #expect(report.chain == chain && report.keys.count == 2)
        #expect((report.keys.first == .spki(identity.key.spki)) == (depth == 1))
        #expect(report.nativeTrust?.cause == .malformed && report.nativeTrust?.problems.first?.depth == depth)
    }

    /// OpenSSL refuses a server without RFC 5746 since version 3, and libcurl over it; the others take such a server.
    @Test(arguments: BackendsUnderTest.transports)
    func aServerWithoutSecureRenegotiationIsNamed(subject: TransportUnderTest) async throws {
        let chain = try Self.pki.identity(.rsa2048).chain
        let report = try await report(subject, of: ServerFlight.records(chain, renegotiatesSecurely: false))
        let failure = try #require(report.failure)
        let refuses = ["openssl", "curl"].contains(subject.testDescription)
        #expect(failure.code == (refuses ? .protocolError : .connectionClosed), "\(failure)")
        #expect(failure.cause == (refuses ? .legacyRenegotiation : nil), "\(failure)")
    }
}
