import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@testable import TransportNIOSSL

/// The engine without a socket, with input that no server should send.
@Suite(.bounded)
struct HostileBytesTests {
    private static let subject = EngineUnderTest(.nio) { request in
        try NIOSSLEngine(request, context: BoringSSLContext(), anchors: NIOSSLAnchors())
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

    /// BoringSSL refuses the message for the key of the first certificate.
    @Test func aChainThatBoringSSLCannotReadIsStillShown() throws {
        let chain = [try Fixture.pki.identity(.rsaWithoutNull).leaf]
        let report = try Self.subject.report(of: ServerFlight.records(chain))
        #expect(report.failure?.code == .protocolError)
        #expect(report.chain == chain)
        guard case .unreadable = report.keys.last else { throw HandshakeFailure(.backendError, "read a key") }
    }

    @Test func anALPNNameNobodyCanEncodeIsRefusedBeforeAByteIsSent() throws {
        let error = #expect(throws: HandshakeFailure.self) {
            try Self.subject.engine(alpn: [String(repeating: "x", count: 300)])
        }
        #expect(error?.code == .unsupported)
    }
}
