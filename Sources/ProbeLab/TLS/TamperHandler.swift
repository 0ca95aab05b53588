import NIOCore

/// A man in the middle below a server's TLS.
final class TamperHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// A handler above TLS, which notices the client's data.
    final class Ear: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let handler: TamperHandler

        init(of handler: TamperHandler) {
            self.handler = handler
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            handler.isResponse = true
            context.fireChannelRead(data)
        }
    }

    private var fromClient: TamperedStream
    private var fromServer: TamperedStream
    private var isResponse = false

    init(_ tampering: LabTampering) {
        fromClient = TamperedStream(tampering, isServers: false)
        fromServer = TamperedStream(tampering, isServers: true)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        context.fireChannelRead(wrapInboundOut(fromClient.pass(unwrapInboundIn(data), isResponse: isResponse)))
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        context.write(
            wrapOutboundOut(fromServer.pass(unwrapOutboundIn(data), isResponse: isResponse)), promise: promise)
    }
}
