import NIOCore
import NIOPosix
import ProbeKit
import ProbePlatform

/// A relay between a channel and a socket, for a stack that does its own reading and writing and has to do it inside the TLS
/// with a proxy.
enum SocketRelay {
    /// Begins to relay; nil if the system has no sockets left.
    ///
    /// - Parameter deadline: closes everything, whatever happens.
    /// - Returns: the socket, on which the channel's bytes are read and written.
    static func begin(behind channel: any Channel, until deadline: Deadline) -> OpenSocket? {
        var ends: [CInt] = [-1, -1]
        guard unsafe socketpair(AF_UNIX, Platform.stream, 0, &ends) == 0 else { return nil }
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        let outer = NIOLoopBound(channel, eventLoop: channel.eventLoop)
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(deadline.remaining)) {
            outer.value.close(promise: nil)
        }
        channel.closeFuture.whenComplete { _ in timer.cancel() }
        let near = ends[0]
        // Not one for TCP, whose options these sockets don't have.
        NIOPipeBootstrap(group: channel.eventLoop)
            .channelInitializer { inner in
                inner.eventLoop.makeCompletedFuture {
                    try inner.pipeline.syncOperations.addHandler(RelayHandler(to: outer.value))
                    try outer.value.pipeline.syncOperations.addHandler(RelayHandler(to: inner))
                }
            }
            .takingOwnershipOfDescriptor(inputOutput: near)
            .whenFailure { _ in
                close(near)
                outer.value.close(promise: nil)
            }
        return OpenSocket(ends[1])
    }
}

/// Passes a channel's bytes, and its end, to another.
private final class RelayHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let other: any Channel
    private var relayed = 0

    /// The most bytes of one direction: a handshake, and the head of an answer.
    private static let most = 2 * HandshakeLimits.handshakeBytes

    init(to other: any Channel) { self.other = other }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        relayed += bytes.readableBytes
        guard relayed <= Self.most else { return context.close(promise: nil) }
        other.writeAndFlush(bytes, promise: nil)
    }

    func channelInactive(context: ChannelHandlerContext) { other.close(promise: nil) }

    func errorCaught(context: ChannelHandlerContext, error: any Error) { context.close(promise: nil) }
}
