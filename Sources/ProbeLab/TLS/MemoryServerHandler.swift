import NIOCore

/// The TLS of a ``LabMemoryServer`` on one connection, for a service that never speaks: nothing is encrypted but its
/// handshake.
final class MemoryServerHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let server: LabMemoryServer

    init(_ server: LabMemoryServer) {
        self.server = server
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let answer = server.take(Array(unwrapInboundIn(data).readableBytesView))
        if !answer.sent.isEmpty {
            context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: answer.sent)), promise: nil)
        }
        if !answer.received.isEmpty { context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: answer.received))) }
        if answer.isOver { context.close(promise: nil) }
    }
}
