import NIOCore
import NIOPosix
import ProbeKit

/// A relay on loopback that passes on a server's first bytes after a pause, which makes a handshake last as long, and all
/// others at once.
final class SlowRelay: Sendable {
    /// The end of a connection.
    enum End: Sendable {
        /// The server's.
        case servers
        /// An end behind the bytes that the server sends after its first ones.
        case behindData
        /// No end: neither the server's alert is passed on nor its end.
        case never
    }

    /// The bytes of an encrypted alert without padding, with the header of its record (RFC 8446 section 5.2).
    private static let alertLength = 5 + 2 + 1 + 16

    let endpoint: Endpoint
    private let listener: any Channel

    private init(_ listener: any Channel) {
        self.listener = listener
        endpoint = Endpoint(host: .ip(.loopback4), port: UInt16(listener.localAddress?.port ?? 0))
    }

    /// Starts a relay in front of a server.
    static func start(to server: Endpoint, pause: Duration = .zero, end: End = .servers) async throws -> SlowRelay {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                ClientBootstrap(group: client.eventLoop).channelInitializer { upstream in
                    upstream.eventLoop.makeCompletedFuture {
                        try upstream.pipeline.syncOperations.addHandler(Pipe(to: client, pause: pause, end: end))
                    }
                }
                .connect(host: "127.0.0.1", port: Int(server.port)).flatMap { upstream in
                    client.eventLoop.makeCompletedFuture {
                        try client.pipeline.syncOperations.addHandler(Pipe(to: upstream))
                        try client.syncOptions?.setOption(.autoRead, value: true)
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        return SlowRelay(listener)
    }

    func stop() async { try? await listener.close() }

    /// Passes bytes on to the other side.
    private final class Pipe: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let other: any Channel
        private var pause: Duration?
        private let end: End
        /// The first bytes, during the pause.
        private var held: ByteBuffer?

        init(to other: any Channel, pause: Duration? = nil, end: End = .servers) {
            self.other = other
            self.pause = pause
            self.end = end
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let bytes = unwrapInboundIn(data)
            if held != nil {
                held?.writeImmutableBuffer(bytes)
            } else if let pause {
                (held, self.pause) = (bytes, nil)
                let time = TimeAmount.nanoseconds(Int64(pause / .nanoseconds(1)))
                context.eventLoop.assumeIsolated().scheduleTask(in: time) { self.release() }
            } else if end != .never || bytes.readableBytes > SlowRelay.alertLength {
                other.writeAndFlush(bytes, promise: nil)
                if end == .behindData { other.close(promise: nil) }
            }
        }

        private func release() {
            if let held { other.writeAndFlush(held, promise: nil) }
            held = nil
        }

        func channelInactive(context: ChannelHandlerContext) {
            if end != .never { other.close(promise: nil) }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
