import NIOCore
import NIOPosix
import ProbeKit
import ProbePlatform

/// A relay between a channel and a socket, for a stack that does its own reading and writing and has to do it inside the TLS
/// with a proxy.
enum SocketRelay {
    /// Begins to relay; nil if the system has no sockets left.
    ///
    /// - Parameters:
    ///   - place: the place that the channel leads to.
    ///   - deadline: closes everything, whatever happens.
    /// - Returns: the socket, on which the channel's bytes are read and written.
    static func begin(behind channel: any Channel, to place: DialledPlace, until deadline: Deadline) -> OpenSocket? {
        guard let (near, far) = LoopbackPair.make() else { return nil }
        let outer = NIOLoopBound(channel, eventLoop: channel.eventLoop)
        let timer = channel.eventLoop.scheduleTask(in: TimeAmount(deadline.remaining)) {
            outer.value.close(promise: nil)
        }
        channel.closeFuture.whenComplete { _ in timer.cancel() }
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
        return OpenSocket(far, of: RelayFailure(of: place))
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

/// Two sockets of TCP that are connected to each other: some stacks take no others.
private enum LoopbackPair {
    /// Connects two sockets; nil if the system has none left.
    static func make() -> (near: CInt, far: CInt)? {
        guard let listener = open() else { return nil }
        defer { close(listener) }
        guard unsafe call(0, { unsafe bind(listener, $0, $1) }), listen(listener, 1) == 0,
            let place = unsafe name({ unsafe getsockname(listener, $0, $1) }), let far = open()
        else { return nil }
        // The kernel answers for the listener. libcurl connects what is connected already, which Linux allows once, after a
        // connection that did not wait.
        _ = fcntl(far, F_SETFL, O_NONBLOCK)
        guard unsafe call(Int(place[0]) << 8 | Int(place[1]), { unsafe connect(far, $0, $1) }) || errno == EINPROGRESS
        else {
            close(far)
            return nil
        }
        let near = accept(listener, nil, nil)
        // Any process of this machine may have been faster.
        guard near >= 0, let own = unsafe name({ unsafe getsockname(far, $0, $1) }),
            unsafe name({ unsafe getpeername(near, $0, $1) }) == own
        else {
            close(far)
            if near >= 0 { close(near) }
            return nil
        }
        _ = fcntl(near, F_SETFD, FD_CLOEXEC)
        return (near, far)
    }

    private static func open() -> CInt? {
        let descriptor = socket(AF_INET, Platform.stream, 0)
        guard descriptor >= 0 else { return nil }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// Calls a function of sockets with a port of 127.0.0.1; false if it fails.
    private static func call(_ port: Int, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt) -> Bool {
        let address = try? SocketAddress(ipAddress: "127.0.0.1", port: port)
        return unsafe address?.withSockAddr { unsafe body($0, socklen_t($1)) } == 0
    }

    /// Returns the port and the address that a function writes, in network byte order; nil if it fails.
    private static func name(
        _ body: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> CInt
    ) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: 128)
        var size = socklen_t(bytes.count)
        let result = unsafe bytes.withUnsafeMutableBytes { room in
            guard let start = room.baseAddress else { return CInt(-1) }
            return unsafe body(start.assumingMemoryBound(to: sockaddr.self), &size)
        }
        // The family comes before them, and a length on some systems.
        return result == 0 ? Array(bytes[2..<8]) : nil
    }
}
