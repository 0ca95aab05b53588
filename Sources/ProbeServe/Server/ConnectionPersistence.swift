import NIOCore
import NIOHTTP1

/// Ends a connection with the answer where its client does not keep it (RFC 9112 section 9.3): Hummingbird knows `close` alone,
/// in lower case and by itself, and takes HTTP/1.0 for 1.1.
final class ConnectionPersistence: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = NIOAny

    /// The handlers of a server come after the version was dropped.
    func handlerAdded(context: ChannelHandlerContext) {
        let pipeline = context.pipeline.syncOperations
        guard let decoder = try? pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self) else { return }
        try? pipeline.addHandler(ClosingRequests(), position: .after(decoder))
    }
}

/// Gives each request whose connection ends with its answer the header that Hummingbird knows.
private final class ClosingRequests: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias InboundOut = HTTPServerRequestPart

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(var head) = unwrapInboundIn(data), !head.isKeepAlive else {
            return context.fireChannelRead(data)
        }
        head.headers.replaceOrAdd(name: "Connection", value: "close")
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }
}
