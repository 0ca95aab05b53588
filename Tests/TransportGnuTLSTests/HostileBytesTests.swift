import ProbeKit
import ProbeLab
import ProbeNet
import ProbeTestSupport
import Testing

@testable import TransportGnuTLS

/// The engine without a socket, with input that no server should send.
@Suite(.bounded)
struct HostileBytesTests {
    private static let subject = EngineUnderTest(.gnutls) { request in
        try GnuTLSEngine(request, anchors: GnuTLSAnchors())
    }

    @Test func sendsAClientHelloAndWaits() throws {
        #expect(try Self.subject.differencesOfHello() == [])
    }

    @Test(arguments: HostileBytes.all) func hostileBytesHaveTheirEffect(bytes: HostileBytes) throws {
        #expect(try Self.subject.differences(bytes) == [])
    }

    @Test(arguments: PresentedList.all, [1, 1000, 1 << 20])
    func listsHaveTheirEffect(list: PresentedList, inPiecesOf size: Int) throws {
        #expect(try Self.subject.differences(list, inPiecesOf: size) == [])
    }

    @Test func randomBytesNeverComplete() throws {
        #expect(try Self.subject.bytesThatComplete(amongRandom: 300) == [])
    }

    /// By itself GnuTLS goes on as if the server had chosen none (RFC 7301 section 3.2).
    @Test(arguments: [("h2", true), ("http/1.1", true), ("h3", false)])
    func aProtocolThatWasNotOfferedIsAViolation(chosen: String, isOffered: Bool) throws {
        let failure = try Self.subject.failure(ofChoosing: chosen)
        guard !isOffered else {
            #expect(failure == nil)
            return
        }
        #expect(failure?.code == .protocolError && failure?.nativeCode == "GNUTLS_E_NO_APPLICATION_PROTOCOL")
        #expect(failure?.message.contains("not offered") == true)
    }

    @Test func aCertificateThatDoesNotParseHasItsCode() throws {
        let report = try Self.subject.report(of: ServerFlight.records([Array("not a certificate".utf8)]))
        #expect(report.failure?.nativeCode == "GNUTLS_E_CERTIFICATE_ERROR")
    }

    @Test func anALPNNameNobodyCanEncodeIsRefusedBeforeAByteIsSent() throws {
        let error = #expect(throws: HandshakeFailure.self) {
            try Self.subject.engine(alpn: [String(repeating: "x", count: 300)])
        }
        #expect(error?.code == .unsupported)
    }

    @Test(.enabled(if: OpenSSL.isInstalled, "openssl is not installed"), arguments: [1, 7, 4096])
    func goodBytesMayComeInAnyPieces(_ size: Int) async throws {
        let identity = try Fixture.pki.identity(.good)
        let report = try await OpenSSL.serve(identity) { port in
            let engine = try GnuTLSEngine(try Fixture.request(), anchors: GnuTLSAnchors())
            let peer = try BlockingPeer(port: port)
            var progress = engine.advance()
            while case .needsInput = progress {
                try peer.send(engine.takeOutput())
                progress = engine.feed(try peer.receive(), inPiecesOf: size)
            }
            return engine.report(after: progress)
        }
        #expect(report.failure == nil)
        #expect(report.chain == identity.chain)
        #expect(report.version == .tls13)
    }
}
