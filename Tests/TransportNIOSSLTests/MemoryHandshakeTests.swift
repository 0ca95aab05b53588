import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@testable import TransportNIOSSL

/// Whole handshakes without a socket.
@Suite(.bounded)
struct MemoryHandshakeTests {
    private static let subject = EngineUnderTest(.nio) { request in
        try NIOSSLEngine(request, context: BoringSSLContext(), anchors: NIOSSLAnchors())
    }

    /// An OCSPResponse "malformedRequest", and two SCTs without meaning: they only have to arrive byte for byte.
    private let staple: [UInt8] = [0x30, 0x03, 0x0a, 0x01, 0x01]
    private let timestamps: [[UInt8]] = [[1, 2, 3], [4, 5]]

    @Test(arguments: [TLSVersion.tls12, .tls13], [1, 7, 16_384])
    func showsStapleAndTimestampsWhateverThePieces(_ version: TLSVersion, _ size: Int) throws {
        let report = try Self.subject.report(
            of: .good, version: version, staple: staple, timestamps: timestamps, inPiecesOf: size)
        #expect(report.failure == nil)
        #expect(report.version == version)
        #expect(report.chain == (try EngineUnderTest.pki.identity(.good).chain))
        #expect(report.ocspStaple == staple)
        #expect(report.handshakeSCTs == timestamps)
        #expect(report.nativeTrust?.isAccepted == true)
    }
}
