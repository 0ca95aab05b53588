import Foundation
import ProbeKit
import ProbeLab
import ProbeTestSupport
import Testing

@testable import ProbeNet

/// The TLS around everything else on a connection, with proxies and DNS servers, and how it ends.
@Suite(.bounded) struct TrustedTLSTests {
    /// Completes its handshake at once, or never; its records are plaintext, and the first one that comes is the last.
    private final class EndingEngine: HandshakeEngine {
        private let end: RecordFailure?
        private let completes: Bool
        private var output: [UInt8] = []
        private var hasReceived = false

        init(completes: Bool = true, end: RecordFailure? = nil) {
            self.completes = completes
            self.end = end
            if !completes { output = [0x16, 0x03, 0x01, 0x00, 0x01, 0x01] }
        }

        func receive(_ bytes: RawSpan) { hasReceived = true }
        func advance() -> HandshakeProgress { completes ? .complete : .needsInput }

        func takeOutput() -> [UInt8] {
            defer { output = [] }
            return output
        }

        func fill(_ report: inout HandshakeReport) -> TrustDecision? { return { .accepted(path: []) } }
        func decrypt() -> DecryptedBytes { DecryptedBytes([], end: hasReceived ? end : nil) }

        func encrypt(_ plaintext: RawSpan) throws(RecordFailure) {
            unsafe plaintext.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
        }
    }

    private static let ends: [(RecordFailure, String)] = [
        (RecordFailure("reading: bad record type", nativeCode: "error:0A0001BB"), "reading: bad record type"),
        (RecordFailure("certificate required", alert: .certificateRequired), "after the handshake with alert 116"),
    ]

    /// Returns the failure of a way through an https proxy.
    private static func failure(
        through peer: LabPeer, within limit: Duration = .seconds(1800), makeEngine: @escaping EngineMaker
    ) async throws -> HandshakeFailure {
        try await LabServer.run(peer, pki: LabPKI(epoch: .now)) { server in
            let target = Endpoint(host: .dns("good.test"), port: 443)
            let request = HandshakeRequest(
                endpoint: target, serverName: target.host, anchors: .none, instant: .now, deadline: .after(limit),
                route: .proxy(HandshakeRequest.Proxy(.https, at: server.endpoint)))
            return try #require(await HandshakeDriver.open(request, makeEngine: makeEngine).report.failure)
        }
    }

    private static let answers = LabPeer.script(LabScript(on: .firstBytes, bytes: [0]))

    @Test("a proxy's alert, and a record that can't be decrypted, are failures of the TLS with it", arguments: ends)
    func proxies(end: RecordFailure, words: String) async throws {
        let failure = try await Self.failure(through: Self.answers) { _ in EndingEngine(end: end) }
        #expect(failure.code == .proxyTLSFailed)
        #expect(failure.message.contains(words), "\(failure)")
    }

    @Test("a proxy that closes has not connected") func closingProxy() async throws {
        let failure = try await Self.failure(through: Self.answers) { _ in EndingEngine(end: .closed) }
        #expect(failure.code == .proxyConnectFailed, "\(failure)")
    }

    @Test("a proxy that resets the connection is named without the words of NIO") func resettingProxy() async throws {
        let peer = LabPeer.script(LabScript(on: .firstBytes, end: .reset))
        let failure = try await Self.failure(through: peer) { _ in EndingEngine(completes: false) }
        #expect(failure.code == .proxyTLSFailed && failure.nativeCode == "ECONNRESET", "\(failure)")
        #expect(failure.message.hasSuffix("failed: it reset the connection"), "\(failure)")
    }

    @Test("a proxy that took the connection and says nothing is not one that was not connected")
    func silentProxy() async throws {
        // A machine with much to do may not be connected by the first.
        for limit in [Duration.milliseconds(300), .seconds(3), .seconds(60)] {
            let failure = try await Self.failure(through: .silent, within: limit) { _ in
                EndingEngine(completes: false)
            }
            #expect(failure.code == .proxyUnreachable)
            guard failure.nativeCode == "connect-timeout", limit < .seconds(60) else {
                #expect(failure.nativeCode == "handshake-timeout" && failure.message.contains("took the connection"))
                break
            }
        }
    }

    @Test("so are those of a DNS server", arguments: ends + [(RecordFailure.closed, "closed the connection")])
    func dnsServers(end: RecordFailure, words: String) async throws {
        try await LabServer.run(Self.answers, pki: LabPKI(epoch: .now)) { server in
            let place = try DNSQuery.TLSServer("tls://good.test", connect: server.endpoint, anchors: .none)
            let exchange = DNSExchange(codec: SwiftDNSCodec()) { _ in EndingEngine(end: end) }
            let report = await exchange.resolve(
                DNSQuery(
                    name: try DNSName("models.test"), servers: [], tlsServers: [place], tries: 1,
                    deadline: .after(.seconds(1800))))
            let failure = try #require(report.attempts.last?.failure)
            #expect(failure.code == (end == .closed ? .closed : .tls), "\(failure)")
            #expect(failure.message.contains(words), "\(failure)")
        }
    }
}
