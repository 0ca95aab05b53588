import NIOCore
import ProbeKit

/// Sends one query as a datagram and offers each datagram that comes back.
final class DatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = ByteBuffer

    private let query: [UInt8]
    private let collector: ReplyCollector

    init(query: [UInt8], collector: ReplyCollector) {
        self.query = query
        self.collector = collector
    }

    func channelActive(context: ChannelHandlerContext) {
        collector.connected()
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: query)), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        collector.offer(Array(unwrapInboundIn(data).data.readableBytesView))
    }

    func channelInactive(context: ChannelHandlerContext) {
        collector.fail(DNSFailure(.closed, "the socket was closed"))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        collector.fail(DNSFailure(socketError: error))
        context.close(promise: nil)
    }
}
