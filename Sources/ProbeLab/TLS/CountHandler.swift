import NIOCore

/// Counts what the client says inside TLS, and passes it on; where nobody takes it, it is dropped.
final class CountHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connections: LabConnections

    init(_ connections: LabConnections) {
        self.connections = connections
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connections.count(applicationBytes: unwrapInboundIn(data).readableBytes)
        context.fireChannelRead(data)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
