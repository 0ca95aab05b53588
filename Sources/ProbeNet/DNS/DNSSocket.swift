import NIOCore
import NIOPosix
import ProbeKit
import Synchronization

/// One socket for one query: opened, connected to one server, and closed when the reply has come, at the deadline, or
/// when the task is cancelled. Each has a source port of its own, chosen by the kernel.
struct DNSSocket: Sendable {
    let server: SocketAddress
    let query: [UInt8]
    let filter: ReplyFilter
    let deadline: Deadline
    /// The TLS around the exchange; nil if there is none.
    var layer: TLSLayer?

    /// The handshake with a server that is asked over TLS, and the stack that makes it.
    struct TLSLayer: Sendable {
        let request: HandshakeRequest
        let makeEngine: EngineMaker
    }

    /// A UDP message's greatest size; NIO's own buffers would cut a reply at 2048.
    private static let datagramSize = 65_535

    func exchange(over transport: DNSAttempt.Channel, on loop: any EventLoop) async -> Collected {
        let promise = loop.makePromise(of: Collected.self)
        let open = OpenChannel()
        connect(over: transport, on: loop, open, promise).whenFailure { error in
            promise.succeed(Collected(reply: nil, dropped: [], failure: DNSFailure(socketError: error)))
        }
        let collected = await withTaskCancellationHandler {
            try? await promise.futureResult.get()
        } onCancel: {
            open.close()
        }
        open.close()
        guard let collected, collected.reply != nil || !Task.isCancelled else {
            return Collected(
                reply: nil, dropped: collected?.dropped ?? [], serverChain: collected?.serverChain ?? [],
                failure: .cancelled)
        }
        return collected
    }

    private func connect(
        over transport: DNSAttempt.Channel, on loop: any EventLoop, _ open: OpenChannel,
        _ promise: EventLoopPromise<Collected>
    ) -> EventLoopFuture<any Channel> {
        let initialize: @Sendable (any Channel) -> EventLoopFuture<Void> = { channel in
            channel.eventLoop.makeCompletedFuture {
                guard open.adopt(channel) else { throw ChannelError.ioOnClosedChannel }
                let collector = ReplyCollector(filter, promise)
                let handler: any ChannelHandler =
                    transport == .udp
                    ? DatagramHandler(query: query, collector: collector)
                    : StreamHandler(query: query, collector: collector)
                if let layer { try add(layer, to: channel, collector) }
                try channel.pipeline.syncOperations.addHandler(handler)
                closeAtDeadline(channel, collector)
            }
        }
        guard transport != .udp else {
            return DatagramBootstrap(group: loop)
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.datagramSize))
                .channelInitializer(initialize).connect(to: server)
        }
        return Self.dial(server, by: deadline, on: loop, initialize)
    }

    /// Opens a TCP connection, for which there is time until the deadline: NIO itself gives up after ten seconds.
    static func dial(
        _ server: SocketAddress, by deadline: Deadline, on loop: any EventLoop,
        _ initialize: @escaping @Sendable (any Channel) -> EventLoopFuture<Void>
    ) -> EventLoopFuture<any Channel> {
        ClientBootstrap(group: loop).connectTimeout(max(TimeAmount(deadline.remaining), .milliseconds(1)))
            .channelInitializer(initialize).connect(to: server)
    }

    private func add(_ layer: TLSLayer, to channel: any Channel, _ collector: ReplyCollector) throws {
        try channel.pipeline.syncOperations.addHandler(
            TrustedTLSHandler(
                layer.request, makeEngine: layer.makeEngine, presented: { collector.serverChain = $0 },
                fail: { failure in
                    // The handler reports the verifier's cause as the native code.
                    let cause = failure.nativeCode.flatMap(TrustCause.init(rawValue:)).map(DNSFailure.Cause.certificate)
                    collector.fail(
                        DNSFailure(.tls, "the TLS with the server failed: \(failure.message)", cause: cause))
                    channel.close(promise: nil)
                }))
    }

    private func closeAtDeadline(_ channel: any Channel, _ collector: ReplyCollector) {
        let remaining = TimeAmount(deadline.remaining)
        let alarm = channel.eventLoop.assumeIsolated().scheduleTask(in: remaining) {
            collector.fail(.late)
            channel.close(promise: nil)
        }
        // The wait ends however the socket is closed. A socket that never opened closes too, often before its error is
        // reported: then the error counts.
        channel.closeFuture.assumeIsolated().whenComplete { _ in
            alarm.cancel()
            if collector.isConnected { collector.fail(DNSFailure(.closed, "the socket was closed")) }
        }
    }
}

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

/// Sends one query over a stream, and offers each message that comes back.
final class StreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let query: [UInt8]
    private let collector: ReplyCollector
    private var received = DNSStream()

    init(query: [UInt8], collector: ReplyCollector) {
        self.query = query
        self.collector = collector
    }

    func channelActive(context: ChannelHandlerContext) {
        collector.connected()
        // Prefix and message are sent in one write: some servers accept them only in one segment.
        context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: DNSStream.framed(query))), promise: nil)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        received.append(unwrapInboundIn(data).readableBytesView)
        do throws(DNSFailure) {
            while let message = try received.next() { collector.offer(message) }
        } catch {
            collector.fail(error)
            context.close(promise: nil)
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        collector.fail(received.closed)
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        collector.fail(DNSFailure(socketError: error))
        context.close(promise: nil)
    }
}

/// The channel of one exchange, so that it can be closed from anywhere, even before it exists.
final class OpenChannel: Sendable {
    private enum State {
        case none
        case open(any Channel)
        case closed
    }

    private let state = Mutex(State.none)

    /// Takes the channel; false if it has to be closed already.
    func adopt(_ channel: any Channel) -> Bool {
        state.withLock { state in
            if case .closed = state { return false }
            state = .open(channel)
            return true
        }
    }

    func close() {
        let previous = state.withLock { state in
            defer { state = .closed }
            return state
        }
        if case .open(let channel) = previous { channel.close(promise: nil) }
    }
}
