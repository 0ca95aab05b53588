import NIOCore
import ProbeKit

/// Sends one query over a stream, framed by RFC 7766 section 8, and offers each message that comes back.
final class StreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let query: [UInt8]
    private let collector: ReplyCollector
    private var received = ByteBuffer()

    init(query: [UInt8], collector: ReplyCollector) {
        self.query = query
        self.collector = collector
    }

    func channelActive(context: ChannelHandlerContext) {
        collector.connected()
        // Prefix and message are sent in one write: some servers accept them only in one segment.
        var buffer = ByteBuffer(integer: UInt16(query.count))
        buffer.writeBytes(query)
        context.writeAndFlush(wrapOutboundOut(buffer), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var chunk = unwrapInboundIn(data)
        received.writeBuffer(&chunk)
        while let message = received.readLengthPrefixedSlice(as: UInt16.self) {
            guard message.readableBytes >= DNSHeader.size else {
                let size = message.readableBytes
                collector.fail(DNSFailure(.framing, "the length prefix \(size) is smaller than a DNS header"))
                return context.close(promise: nil)
            }
            collector.offer(Array(message.readableBytesView))
        }
        received.discardReadBytes()
    }

    func channelInactive(context: ChannelHandlerContext) {
        let rest = received.readableBytes
        let detail = rest == 0 ? "before a reply came" : "within a message, after \(rest) bytes of it"
        collector.fail(DNSFailure(.closed, "the server closed the connection \(detail)"))
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        collector.fail(DNSFailure(socketError: error))
        context.close(promise: nil)
    }
}
