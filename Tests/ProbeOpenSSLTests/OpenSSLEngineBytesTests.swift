import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@testable import ProbeOpenSSL

/// The engine without a socket, with input that no server should send.
@Suite(.bounded) struct OpenSSLEngineBytesTests {
    private static let firstUse = OpenSSLFirstUse()
    private static let subject = EngineUnderTest(.openssl) { request in
        try OpenSSLEngine(request, context: firstUse.context(), anchors: OpenSSLAnchors())
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

    @Test(arguments: [("h2", true), ("http/1.1", true), ("h3", false)])
    func aProtocolThatWasNotOfferedIsAViolation(chosen: String, isOffered: Bool) throws {
        let failure = try Self.subject.failure(ofChoosing: chosen)
        #expect(failure?.code == (isOffered ? nil : .protocolError))
    }

    @Test func anALPNNameNobodyCanEncodeIsRefusedBeforeAByteIsSent() throws {
        let error = #expect(throws: HandshakeFailure.self) {
            try Self.subject.engine(alpn: [String(repeating: "x", count: 300)])
        }
        #expect(error?.code == .unsupported)
    }

    @Test(arguments: [TLSVersion.tls12, .tls13], [1, 7, 16_384])
    func goodBytesMayComeInAnyPieces(version: TLSVersion, size: Int) throws {
        let report = try Self.subject.report(of: .good, version: version, inPiecesOf: size)
        #expect(report.failure == nil)
        #expect(report.version == version)
        #expect(report.chain == (try EngineUnderTest.pki.identity(.good).chain))
        #expect(report.nativeTrust?.isAccepted == true)
    }
}
