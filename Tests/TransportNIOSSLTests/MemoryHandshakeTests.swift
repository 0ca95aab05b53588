import ProbeKit
import ProbeLab
import ProbeNet
import ProbeTestSupport
import Testing

@testable import TransportNIOSSL

/// Whole handshakes without a socket.
@Suite(.bounded)
struct MemoryHandshakeTests {
    /// An OCSPResponse "malformedRequest", and two SCTs without meaning: they only have to arrive byte for byte.
    private let staple: [UInt8] = [0x30, 0x03, 0x0a, 0x01, 0x01]
    private let timestamps: [[UInt8]] = [[1, 2, 3], [4, 5]]

    private func report(
        of identity: LabIdentityName, version: TLSVersion, inPiecesOf size: Int
    ) throws -> HandshakeReport {
        let server = try LabMemoryServer(try Fixture.pki.identity(identity), staple: staple, timestamps: timestamps)
        let engine = try NIOSSLEngine(
            try Fixture.request(versions: version...version), context: try BoringSSLContext(),
            anchors: NIOSSLAnchors())
        var report = HandshakeReport()
        var progress = engine.advance()
        // Any version needs two round trips.
        for _ in 0..<3 {
            var answer = server.take(engine.takeOutput()).sent[...]
            while case .needsInput = progress, !answer.isEmpty {
                unsafe engine.receive(Array(answer.prefix(size)).span.bytes)
                answer = answer.dropFirst(size)
                progress = engine.advance()
            }
        }
        switch progress {
        case .needsInput: report.failure = HandshakeFailure(.backendError, "it never ends")
        case .failed(let failure): report.failure = failure
        case .complete: break
        }
        report.nativeTrust = engine.fill(&report)?()
        return report
    }

    @Test(arguments: [TLSVersion.tls12, .tls13], [1, 7, 16_384])
    func showsStapleAndTimestampsWhateverThePieces(_ version: TLSVersion, _ size: Int) throws {
        let report = try report(of: .good, version: version, inPiecesOf: size)
        #expect(report.failure == nil)
        #expect(report.version == version)
        #expect(report.chain == (try Fixture.pki.identity(.good).chain))
        #expect(report.ocspStaple == staple)
        #expect(report.handshakeSCTs == timestamps)
        #expect(report.nativeTrust?.isAccepted == true)
    }
}
