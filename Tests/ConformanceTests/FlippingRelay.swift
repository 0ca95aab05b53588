import NIOCore
import NIOPosix
import ProbeKit

/// A relay on loopback that changes one byte from a server, counted over one connection.
final class FlippingRelay: Sendable {
    /// One byte to change.
    struct Flip: Sendable {
        let offset: Int
        let mask: UInt8
    }

    let endpoint: Endpoint
    private let listener: any Channel

    private init(_ listener: any Channel, _ endpoint: Endpoint) {
        self.listener = listener
        self.endpoint = endpoint
    }

    /// Starts a relay in front of a server; nil changes nothing. `heard` is called with everything the server sends.
    static func start(
        to server: Endpoint, _ flip: Flip?, heard: @escaping @Sendable ([UInt8]) -> Void = { _ in }
    ) async throws -> FlippingRelay {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .childChannelOption(.autoRead, value: false)
            .childChannelInitializer { client in
                ClientBootstrap(group: client.eventLoop).channelInitializer { upstream in
                    upstream.eventLoop.makeCompletedFuture {
                        try upstream.pipeline.syncOperations.addHandler(Pipe(to: client, flip, heard: heard))
                    }
                }
                .connect(host: "127.0.0.1", port: Int(server.port)).flatMap { upstream in
                    client.eventLoop.makeCompletedFuture {
                        try client.pipeline.syncOperations.addHandler(Pipe(to: upstream, nil) { _ in })
                        try client.syncOptions?.setOption(.autoRead, value: true)
                    }
                }
            }
            .bind(host: "127.0.0.1", port: 0).get()
        let port = UInt16(listener.localAddress?.port ?? 0)
        return FlippingRelay(listener, Endpoint(host: .ip(.loopback4), port: port))
    }

    func stop() async { try? await listener.close() }

    /// Passes bytes on to the other side.
    private final class Pipe: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer
        private let other: any Channel
        private let flip: Flip?
        private let heard: @Sendable ([UInt8]) -> Void
        private var passed = 0

        init(to other: any Channel, _ flip: Flip?, heard: @escaping @Sendable ([UInt8]) -> Void) {
            self.other = other
            self.flip = flip
            self.heard = heard
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            var bytes = Array(unwrapInboundIn(data).readableBytesView)
            heard(bytes)
            if let flip, bytes.indices.contains(flip.offset - passed) { bytes[flip.offset - passed] ^= flip.mask }
            passed += bytes.count
            other.writeAndFlush(ByteBuffer(bytes: bytes), promise: nil)
        }

        func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }
        func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
    }
}
