import NIOCore

/// Counts the client's bytes inside TLS, and passes them on; without a recipient they are dropped.
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
