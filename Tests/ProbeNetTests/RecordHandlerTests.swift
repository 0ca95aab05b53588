import NIOCore
import NIOEmbedded
import ProbeKit
import Testing

@testable import ProbeNet

@Suite struct RecordHandlerTests {
    /// Accepts all bytes and sends none.
    private final class DeafEngine: HandshakeEngine {
        func receive(_ bytes: RawSpan) {}
        func advance() -> HandshakeProgress { .complete }
        var mayBeRefusedLate: Bool { false }
        func takeOutput() -> [UInt8] { [] }
        func fill(_ report: inout HandshakeReport) -> TrustDecision? { nil }
        func decrypt() -> DecryptedBytes { DecryptedBytes([]) }
        func encrypt(_ plaintext: RawSpan) throws(RecordFailure) {}
    }

    /// It has an end of its own to send.
    private final class PoliteEngine: HandshakeEngine {
        private var output: [UInt8] = []
        private let end: RecordFailure?

        init(_ end: RecordFailure? = nil) { self.end = end }

        func receive(_ bytes: RawSpan) {}
        func advance() -> HandshakeProgress { .complete }
        func takeOutput() -> [UInt8] {
            defer { output = [] }
            return output
        }
        func fill(_ report: inout HandshakeReport) -> TrustDecision? { nil }
        func decrypt() -> DecryptedBytes { end.map { DecryptedBytes([], end: $0) } ?? DecryptedBytes([]) }
        func encrypt(_ plaintext: RawSpan) throws(RecordFailure) {}
        func close() { output = Array("bye".utf8) }
    }

    /// To a peer that closed first too, and not after an error, which has an alert of its own.
    @Test(
        arguments: [
            (nil, "bye"), (.closed, "bye"), (RecordFailure("user canceled", alert: .userCanceled), "bye"),
            (RecordFailure("a record is broken"), nil),
        ] as [(RecordFailure?, String?)])
    func theEndIsSentBeforeTheChannelCloses(end: RecordFailure?, sent: String?) throws {
        let handler = RecordHandler(PoliteEngine(end))
        let channel = EmbeddedChannel(handler: handler)
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        handler.begin()
        channel.close(promise: nil)
        channel.embeddedEventLoop.run()
        #expect(try channel.readOutbound(as: ByteBuffer.self) == sent.map { ByteBuffer(string: $0) })
        #expect(!channel.isActive)
    }

    /// An alert may have come, and the connection have gone, while the request waited for its approval.
    @Test func theEndOfAConnectionThatIsGoneIsRead() throws {
        let refusal = RecordFailure("certificate required", alert: .certificateRequired)
        let channel = EmbeddedChannel()
        try channel.connect(to: SocketAddress(unixDomainSocketPath: "/nowhere")).wait()
        let connection = try OpenConnection(channel, PoliteEngine(refusal), until: .after(.seconds(1800)))
        channel.close(promise: nil)
        channel.embeddedEventLoop.run()
        let exchange = HTTPExchange(with: Target(name: try ServerName("good.test"))) { _ in true }
        let ending = try connection.head(exchange, alpn: nil).wait()
        #expect(ending.end == refusal && ending.http.response == nil)
    }

    /// Returns the reported end, if any, for a peer that sent as much before the request and after it.
    private func end(before: Int, after: Int) throws -> String? {
        var end: String?
        let handler = RecordHandler(DeafEngine())
        let channel = EmbeddedChannel(handler: handler)
        defer { _ = try? channel.finish() }
        try channel.writeInbound(ByteBuffer(repeating: 0, count: before))
        handler.onEnd = { end = $0 }
        handler.begin()
        if after > 0 { try channel.writeInbound(ByteBuffer(repeating: 0, count: after)) }
        return end
    }

    @Test func moreThanAnAnswerCanBeIsReportedWheneverItWasSaid() throws {
        let limit = HTTPExchange.maximumResponseBytes
        #expect(try end(before: limit, after: 0) == nil)
        #expect(try end(before: limit + 1, after: 0) == HTTPExchange.excess)
        #expect(try end(before: 1, after: limit) == HTTPExchange.excess)
    }
}
