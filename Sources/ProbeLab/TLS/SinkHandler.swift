import NIOCore

/// Reads and counts what the client says inside TLS, until the client closes.
final class SinkHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let connections: LabConnections

    init(_ connections: LabConnections) {
        self.connections = connections
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connections.count(applicationBytes: unwrapInboundIn(data).readableBytes)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }
}
