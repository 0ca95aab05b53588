import ProbeKit
import ProbeLab
import ProbeNet
import ProbeTestSupport
import Testing

@testable import TransportNIOSSL

/// Alerts of TLS 1.3, whose level means nothing (RFC 8446 section 6); BoringSSL takes none but fatal ones.
@Suite(.bounded)
struct AlertLevelTests {
    private static let server = "SERVER_HANDSHAKE_TRAFFIC_SECRET"

    private func start() throws -> (engine: NIOSSLEngine, server: LabMemoryServer, client: [UInt8]) {
        let engine = try NIOSSLEngine(
            try Fixture.request(versions: .tls13 ... .tls13), context: try SealedAlert.context(),
            anchors: NIOSSLAnchors())
        _ = engine.advance()
        let server = try LabMemoryServer(try Fixture.pki.identity(.good), staple: nil, timestamps: [])
        return (engine, server, engine.takeOutput())
    }

    private func firstRecord(of flight: [UInt8]) -> [UInt8] {
        let length = Int(flight[3]) << 8 | Int(flight[4])
        return Array(flight.prefix(5 + length))
    }

    @Test(
        arguments: [0, 1, 2, 3] as [UInt8],
        [.unrecognizedName, .certificateRequired, .init(rawValue: 200)] as [HandshakeFailure.Alert])
    func anAlertDuringTheHandshakeIsOne(level: UInt8, alert: HandshakeFailure.Alert) throws {
        let (engine, server, client) = try start()
        let flight = server.take(client).sent
        let hello = firstRecord(of: flight)
        guard case .needsInput = engine.feed(hello) else {
            Issue.record("it does not wait for more")
            return
        }
        let record = try #require(
            SealedAlert.record(level: level, alert, under: Self.server, client: client, server: hello))
        guard case .failed(let failure) = engine.feed(record) else {
            Issue.record("it does not end")
            return
        }
        #expect(failure.code == .alertReceived && failure.alert == alert, "\(failure)")
        #expect(!failure.message.contains("BAD_ALERT") && failure.nativeCode?.hasPrefix("error:1") == true)
    }

    /// A server refuses a client when the client's side of the handshake is complete.
    @Test(arguments: [0, 1, 2, 3] as [UInt8])
    func anAlertAfterTheHandshakeIsOne(level: UInt8) throws {
        let (engine, server, client) = try start()
        let flight = server.take(client).sent
        guard case .complete = engine.feed(flight) else {
            Issue.record("it is not complete")
            return
        }
        let record = try #require(
            SealedAlert.record(
                level: level, .certificateRequired, under: "SERVER_TRAFFIC_SECRET_0", client: client, server: flight))
        unsafe engine.receive(record.span.bytes)
        #expect(engine.decrypt().end?.alert == .certificateRequired)
    }

    /// One that is no error is not made one, nor is an alert of a length that none has.
    @Test func othersStayWhatTheyAre() throws {
        for level in [0, 3] as [UInt8] {
            let (engine, server, client) = try start()
            let flight = server.take(client).sent
            let hello = firstRecord(of: flight)
            _ = engine.feed(hello)
            let record = try #require(
                SealedAlert.record(level: level, .userCanceled, under: Self.server, client: client, server: hello))
            guard case .failed(let failure) = engine.feed(record) else {
                Issue.record("it does not end")
                return
            }
            #expect(failure.code == .protocolError && failure.alert == nil, "\(failure)")
        }
        let (engine, _, _) = try start()
        // Before a version is chosen levels have a meaning: a warning, then half an alert.
        guard case .needsInput = engine.feed([21, 3, 3, 0, 2, 1, 112]),
            case .failed(let failure) = engine.feed([21, 3, 3, 0, 1, 2])
        else {
            Issue.record("it does not end at the second")
            return
        }
        #expect(failure.code == .protocolError && failure.alert == nil, "\(failure)")
    }
}
