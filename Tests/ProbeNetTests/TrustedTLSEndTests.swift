import Foundation
import NIOCore
import NIOEmbedded
import ProbeKit
import ProbeTestSupport
import Testing

@testable import ProbeNet

/// The end of the TLS with a proxy or a DNS server: a close_notify, whoever closes first (RFC 8446 section 6.1).
@Suite(.bounded) struct TrustedTLSEndTests {
    /// Completes its handshake at once; its records are plaintext, the first one that comes is the last, and it has an end of its
    /// own to send.
    private final class PoliteEngine: HandshakeEngine {
        private let end: RecordFailure?
        private var output: [UInt8] = []
        private var hasReceived = false

        init(_ end: RecordFailure?) { self.end = end }

        func receive(_ bytes: RawSpan) { hasReceived = true }
        func advance() -> HandshakeProgress { .complete }

        func takeOutput() -> [UInt8] {
            defer { output = [] }
            return output
        }

        func fill(_ report: inout HandshakeReport) -> TrustDecision? { return { .accepted(path: []) } }
        func decrypt() -> DecryptedBytes { DecryptedBytes([], end: hasReceived ? end : nil) }

        func encrypt(_ plaintext: RawSpan) throws(RecordFailure) {
            unsafe plaintext.withUnsafeBytes { unsafe output.append(contentsOf: $0) }
        }

        func close() { output += Array("bye".utf8) }
    }

    /// Writes once the TLS is open.
    private final class Greeter: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        func channelActive(context: ChannelHandlerContext) {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(string: "hello")), promise: nil)
        }
    }

    private static let peer = Endpoint(host: .dns("proxy.test"), port: 443)

    private static func request() -> HandshakeRequest {
        HandshakeRequest(
            endpoint: peer, serverName: peer.host, anchors: .none, instant: .now, deadline: .after(.seconds(1800)))
    }

    /// An alert that came before the end of the connection is its reason, although nothing reads it while the certificate is
    /// being judged.
    @Test(
        arguments: [
            (nil, false, "it closed the connection"), (.closed, false, "it closed the connection"),
            (RecordFailure("certificate required", alert: .certificateRequired), false, "alert 116"),
            (RecordFailure("certificate required", alert: .certificateRequired), true, "alert 116"),
            (nil, true, "it reset the connection"),
        ] as [(RecordFailure?, Bool, String)])
    func theReasonComesBeforeTheEnd(reason: RecordFailure?, isReset: Bool, words: String) async throws {
        let channel = NIOAsyncTestingChannel()
        // The decision ends after this turn of the loop.
        let failures = try await channel.testingEventLoop.executeInContext {
            var failures: [HandshakeFailure] = []
            let tls = TrustedTLSHandler(
                Self.request(), makeEngine: { _ in PoliteEngine(reason) }, fail: { failures.append($0) })
            let pipeline = channel.pipeline.syncOperations
            try pipeline.addHandler(tls)
            pipeline.fireChannelActive()
            pipeline.fireChannelRead(NIOAny(ByteBuffer(string: "the last record")))
            if isReset {
                pipeline.fireErrorCaught(IOError(errnoCode: ECONNRESET, reason: "read"))
            } else {
                pipeline.fireChannelInactive()
            }
            return failures
        }
        #expect(failures.count == 1)
        #expect(failures.first?.message.contains(words) == true, "\(failures)")
        _ = try? await channel.finish()
    }

    /// To a peer that closed first too, and not after an error, which has an alert of its own.
    @Test(
        arguments: [(nil, "bye"), (.closed, "bye"), (RecordFailure("a record is broken"), nil)]
            as [(RecordFailure?, String?)])
    func theEndIsSentBeforeTheChannelCloses(end: RecordFailure?, sent: String?) async throws {
        let channel = NIOAsyncTestingChannel()
        try await channel.testingEventLoop.executeInContext {
            let tls = TrustedTLSHandler(Self.request(), makeEngine: { _ in PoliteEngine(end) }, fail: { _ in })
            try channel.pipeline.syncOperations.addHandlers([tls, Greeter()])
        }
        try await channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).get()
        #expect(try await channel.waitForOutboundWrite(as: ByteBuffer.self) == ByteBuffer(string: "hello"))
        if end == nil {
            channel.close(promise: nil)
        } else {
            // It throws what the handlers behind report.
            _ = try? await channel.writeInbound(ByteBuffer(string: "the last record"))
        }
        try await channel.closeFuture.get()
        #expect(try await channel.readOutbound(as: ByteBuffer.self) == sent.map { ByteBuffer(string: $0) })
        #expect(!channel.isActive)
    }
}
