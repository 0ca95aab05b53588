import CLoopFloor
import NIOCore
import NIOPosix
import ProbeKit

/// The bare client of OpenSSL on a channel of SwiftNIO: what a probe can cost at least while SwiftNIO has its sockets.
///
/// `@unchecked Sendable`: the context is configured in `init` alone, and OpenSSL documents making connections of one
/// context from several threads as safe (openssl-threads(7)).
@safe final class LoopFloor: HandshakeFloor, @unchecked Sendable {
    static let transport = "openssl"

    private let context: OpaquePointer
    private let loop = MultiThreadedEventLoopGroup.singleton.next()

    init(anchor: [UInt8]) throws(HandshakeFailure) {
        guard let context = unsafe loop_floor_context(anchor, anchor.count) else {
            throw HandshakeFailure(.backendError, "the bare client can't be made")
        }
        unsafe self.context = context
    }

    deinit {
        unsafe SSL_CTX_free(context)
    }

    func handshake(port: UInt16, name: String) -> Bool {
        guard let address = try? SocketAddress(ipAddress: "127.0.0.1", port: Int(port)),
            let connection = unsafe Connection(of: context, to: name)
        else { return false }
        let done = loop.makePromise(of: Bool.self)
        connect(address, connection, done)
        return (try? done.futureResult.wait()) ?? false
    }

    private func connect(_ address: SocketAddress, _ connection: Connection, _ done: EventLoopPromise<Bool>) {
        ClientBootstrap(group: loop)
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(LoopHandler(connection, done))
                }
            }
            .connect(to: address).whenFailure { done.fail($0) }
    }
}

/// A handshake, which the handler of one channel uses alone, on its loop.
@safe final class Connection: @unchecked Sendable {
    private let ssl: OpaquePointer
    /// Freed with `ssl`.
    private let output: OpaquePointer

    init?(of context: OpaquePointer, to name: String) {
        var output: OpaquePointer?
        guard let ssl = unsafe loop_floor_begin(context, name, &output), let output = unsafe output else { return nil }
        unsafe (self.ssl, self.output) = (ssl, output)
    }

    deinit { unsafe SSL_free(ssl) }

    /// Takes the server's bytes, adds those for it to a buffer, and returns the step's result.
    func step(_ bytes: UnsafeRawBufferPointer, into buffer: inout ByteBuffer) -> CInt {
        var result: CInt = -1
        buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: 4096) { room in
            var written: CInt = 0
            result = unsafe loop_floor_step(
                ssl, output, bytes.baseAddress, CInt(bytes.count), room.baseAddress, CInt(room.count), &written)
            return Int(written)
        }
        return result
    }
}

/// Passes bytes between a channel and a handshake.
private final class LoopHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let connection: Connection
    private let done: EventLoopPromise<Bool>
    private var expiry: Scheduled<Void>?

    init(_ connection: Connection, _ done: EventLoopPromise<Bool>) {
        self.connection = connection
        self.done = done
    }

    func channelActive(context: ChannelHandlerContext) {
        expiry = context.eventLoop.scheduleTask(in: .seconds(10)) { [done, channel = context.channel] in
            done.succeed(false)
            channel.close(promise: nil)
        }
        unsafe take(UnsafeRawBufferPointer(start: nil, count: 0), context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        unsafe unwrapInboundIn(data).withUnsafeReadableBytes { unsafe take($0, context) }
    }

    func channelInactive(context: ChannelHandlerContext) {
        expiry?.cancel()
        done.succeed(false)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        done.fail(error)
        context.close(promise: nil)
    }

    private func take(_ bytes: UnsafeRawBufferPointer, _ context: ChannelHandlerContext) {
        var answer = context.channel.allocator.buffer(capacity: 4096)
        let result = unsafe connection.step(bytes, into: &answer)
        if answer.readableBytes > 0 { context.writeAndFlush(wrapOutboundOut(answer), promise: nil) }
        guard result != 0 else { return }
        done.succeed(result == 1)
        context.close(promise: nil)
    }
}
