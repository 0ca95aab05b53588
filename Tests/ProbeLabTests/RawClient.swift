import NIOCore
import NIOPosix
import ProbeKit

/// A TCP client that sends one message and reads.
enum RawClient {
    /// The end of a conversation.
    enum Ending: Equatable {
        /// The peer sent its FIN.
        case closed
        /// The peer reset the connection.
        case reset
        /// Nothing ended it before the time was over.
        case open
        /// The peer sent more than a megabyte.
        case flooded
    }

    /// The peer's bytes, and the end of the conversation.
    struct Heard: Equatable, Sendable {
        var bytes: [UInt8] = []
        var ending = Ending.open
    }

    /// A record that looks like one with a ClientHello in it.
    static let hello: [UInt8] = [22, 3, 1, 0, 64, 1, 0, 0, 60] + [UInt8](repeating: 7, count: 60)

    /// Connects, sends `words` and reads: until the peer ends it, or for `time` from the moment it has sent `count`
    /// bytes, but no longer than ten minutes. So a slow machine makes a test slow, not wrong.
    static func talk(
        to endpoint: Endpoint, saying words: [UInt8] = hello, hearing count: Int = .max,
        for time: Duration = .milliseconds(200)
    ) async throws -> Heard {
        let loop = MultiThreadedEventLoopGroup.singleton.any()
        let promise = loop.makePromise(of: Heard.self)
        let connecting = ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(Listener(promise, words, count, TimeAmount(time)))
                }
            }
            .connect(host: endpoint.host.description, port: Int(endpoint.port))
        connecting.whenFailure { promise.fail($0) }
        let channel = try await connecting.get()
        let heard = try await promise.futureResult.get()
        try? await channel.close()
        return heard
    }

    private final class Listener: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let promise: EventLoopPromise<Heard>
        private let words: [UInt8]
        private let count: Int
        private let time: TimeAmount
        private var heard = Heard()

        init(_ promise: EventLoopPromise<Heard>, _ words: [UInt8], _ count: Int, _ time: TimeAmount) {
            self.promise = promise
            self.words = words
            self.count = count
            self.time = time
        }

        func channelActive(context: ChannelHandlerContext) {
            context.channel.writeAndFlush(ByteBuffer(bytes: words), promise: nil)
            end(.open, in: .minutes(10), context)
            if count == 0 { end(.open, in: time, context) }
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            heard.bytes += unwrapInboundIn(data).readableBytesView
            if heard.bytes.count > 1 << 20 { end(.flooded) }
            if heard.bytes.count >= count { end(.open, in: time, context) }
        }

        func channelInactive(context: ChannelHandlerContext) {
            end(.closed)
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            end(.reset)
            context.close(promise: nil)
        }

        private func end(_ ending: Ending, in time: TimeAmount, _ context: ChannelHandlerContext) {
            context.eventLoop.assumeIsolated().scheduleTask(in: time) { self.end(ending) }
        }

        private func end(_ ending: Ending) {
            heard.ending = ending
            promise.succeed(heard)
        }
    }
}
