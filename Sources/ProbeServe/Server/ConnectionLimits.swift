import NIOCore

/// Closes a connection that takes a place from others: one that brings no request at its beginning, TLS included, and one whose
/// client stopped reading.
final class ConnectionLimits: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    private let patience: ServePatience
    private var hasRequest = false
    private var timer: Scheduled<Void>?

    init(_ patience: ServePatience) {
        self.patience = patience
    }

    func handlerAdded(context: ChannelHandlerContext) { close(context, after: patience.request) }

    func handlerRemoved(context: ChannelHandlerContext) { timer?.cancel() }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !hasRequest {
            hasRequest = true
            timer?.cancel()
        }
        context.fireChannelRead(data)
    }

    func channelWritabilityChanged(context: ChannelHandlerContext) {
        timer?.cancel()
        if !context.channel.isWritable { close(context, after: patience.reading) }
        context.fireChannelWritabilityChanged()
    }

    private func close(_ context: ChannelHandlerContext, after limit: Duration) {
        let channel = context.channel
        timer = context.eventLoop.scheduleTask(in: TimeAmount(limit)) { channel.close(promise: nil) }
    }
}
