import NIOCore

/// The TLS of a ``LabMemoryServer`` or a ``TLS12Server`` on one connection, for a service that never speaks: nothing is
/// encrypted but its handshake.
final class MemoryServerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let take: ([UInt8]) -> LabMemoryServer.Answer

    /// - Parameter take: takes bytes of the client, and continues.
    init(_ take: @escaping ([UInt8]) -> LabMemoryServer.Answer) {
        self.take = take
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let answer = take(Array(unwrapInboundIn(data).readableBytesView))
        if !answer.sent.isEmpty {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer.sent)), promise: nil)
        }
        if !answer.received.isEmpty { context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: answer.received))) }
        if answer.isOver { context.close(promise: nil) }
    }
}
