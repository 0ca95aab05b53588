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

    @Test func moreThanAnAnswerCanBeIsToldWheneverItWasSaid() throws {
        let limit = HTTPExchange.maximumResponseBytes
        #expect(try end(before: limit, after: 0) == nil)
        #expect(try end(before: limit + 1, after: 0) == HTTPExchange.excess)
        #expect(try end(before: 1, after: limit) == HTTPExchange.excess)
    }
}
