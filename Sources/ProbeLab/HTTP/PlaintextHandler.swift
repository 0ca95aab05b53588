import NIOCore

/// Sends bytes below TLS as soon as any data arrives inside TLS.
final class PlaintextHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    /// A handler below TLS, whose writes are sent unencrypted.
    final class Outlet: ChannelOutboundHandler {
        typealias OutboundIn = ByteBuffer
        typealias OutboundOut = ByteBuffer

        private var context: ChannelHandlerContext?

        func handlerAdded(context: ChannelHandlerContext) { self.context = context }
        func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

        func send(_ bytes: [UInt8]) {
            context?.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
        }
    }

    private let bytes: [UInt8]
    private let outlet: Outlet
    private var hasSpoken = false

    init(_ bytes: [UInt8], through outlet: Outlet) {
        self.bytes = bytes
        self.outlet = outlet
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if !hasSpoken { outlet.send(bytes) }
        hasSpoken = true
    }
}
