import Glibc
import NIOCore
import NIOPosix
import ProbeKit

/// One handshake on one event loop: moves bytes between a channel and an engine until it has ended one way or another.
///
/// Everything here runs on `loop`.
final class HandshakeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let request: HandshakeRequest
    private let loop: any EventLoop
    private let makeEngine: () throws(HandshakeFailure) -> any HandshakeEngine
    private let report: EventLoopPromise<HandshakeReport>
    private let began = NIODeadline.now()

    private var channel: (any Channel)?
    private var engine: (any HandshakeEngine)?
    private var connected: NIODeadline?
    private var deadline: Scheduled<Void>?
    private var sawPeerBytes = false
    private var isFinished = false

    init(
        _ request: HandshakeRequest, loop: any EventLoop,
        makeEngine: @escaping () throws(HandshakeFailure) -> any HandshakeEngine
    ) {
        self.request = request
        self.loop = loop
        self.makeEngine = makeEngine
        report = loop.makePromise()
    }

    /// Dials, and promises a report by the deadline.
    func connect() -> EventLoopFuture<HandshakeReport> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let remaining = TimeAmount(request.deadline.remaining)
        deadline = loop.scheduleTask(in: remaining) { bound.value.deadlinePassed() }
        ClientBootstrap(group: loop)
            .connectTimeout(max(remaining, .milliseconds(1)))
            .channelOption(.tcpOption(.tcp_nodelay), value: 1)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    try channel.pipeline.syncOperations.addHandler(bound.value)
                }
            }
            .connect(host: request.endpoint.host.description, port: Int(request.endpoint.port))
            .whenFailure { error in
                bound.value.finish(ConnectFailure.of(error, endpoint: bound.value.request.endpoint))
            }
        return report.futureResult
    }

    /// Ends the handshake, complete or not, with what was seen by now. Only the first call counts.
    func finish(_ failure: HandshakeFailure?) {
        guard !isFinished else { return }
        isFinished = true
        deadline?.cancel()
        var facts = HandshakeReport()
        facts.failure = failure
        facts.peerAddress = channel?.remoteAddress?.ipAddress
        facts.timings.connect = connected.map { Duration.nanoseconds(($0 - began).nanoseconds) }
        facts.timings.handshake = connected.map { Duration.nanoseconds((NIODeadline.now() - $0).nanoseconds) }
        channel?.close(promise: nil)
        engine?.fill(&facts)
        engine = nil
        report.succeed(facts)
    }

    // MARK: Events of the channel

    func channelActive(context: ChannelHandlerContext) {
        // Happy eyeballs may open a second connection; the first one that is up carries the handshake.
        guard channel == nil, !isFinished else { return context.close(promise: nil) }
        channel = context.channel
        connected = .now()
        do throws(HandshakeFailure) {
            engine = try makeEngine()
        } catch {
            return finish(error)
        }
        pump(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let engine, !isFinished, context.channel === channel else { return }
        let bytes = unwrapInboundIn(data)
        if !sawPeerBytes {
            sawPeerBytes = true
            if let failure = Self.plaintext(bytes) { return finish(failure) }
        }
        unsafe bytes.withUnsafeReadableBytes { unsafe engine.receive($0) }
        pump(context)
    }

    func channelInactive(context: ChannelHandlerContext) {
        guard context.channel === channel else { return }
        let when = sawPeerBytes ? "during the handshake" : "before it said anything"
        finish(HandshakeFailure(.connectionClosed, "the peer closed the connection \(when)"))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard context.channel === channel else { return }
        if let error = error as? IOError, error.errnoCode == ECONNRESET || error.errnoCode == EPIPE {
            finish(
                HandshakeFailure(
                    .connectionReset, "the peer reset the connection during the handshake", nativeCode: "ECONNRESET"))
        } else {
            finish(HandshakeFailure(.connectionClosed, "the connection broke during the handshake: \(error)"))
        }
    }

    private func deadlinePassed() {
        guard connected != nil else { return finish(ConnectFailure.timeout(request.endpoint)) }
        let heard = sawPeerBytes ? "the peer stopped answering" : "the peer took the connection and said nothing"
        finish(HandshakeFailure(.handshakeTimeout, "\(heard) before the deadline"))
    }

    private func pump(_ context: ChannelHandlerContext) {
        guard let engine else { return }
        let progress = engine.advance()
        let output = engine.takeOutput()
        if !output.isEmpty {
            context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: output)), promise: nil)
        }
        switch progress {
        case .needsInput: break
        case .complete: finish(nil)
        case .failed(let failure): finish(failure)
        }
    }

    /// A first byte that is no TLS record type, or a version no TLS has, means the peer speaks something else.
    private static func plaintext(_ bytes: ByteBuffer) -> HandshakeFailure? {
        let first = Array(bytes.readableBytesView.prefix(2))
        guard let type = first.first else { return nil }
        if (20...24).contains(type), first.count < 2 || first[1] == 3 { return nil }
        let shown = MasterFileText.escape(bytes.readableBytesView.prefix(40))
        return HandshakeFailure(.notTLS, "the peer does not speak TLS: it sent \"\(shown)\"")
    }
}
