import NIOCore
import ProbeKit

/// The TLS with a proxy or a DNS server, around everything else on the connection: it becomes active for the handlers
/// behind it once the peer's certificate is trusted.
///
/// Everything here runs on the event loop of its channel.
final class TrustedTLSHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let request: HandshakeRequest
    private let makeEngine: EngineMaker
    private let presented: ([[UInt8]]) -> Void
    private let fail: (HandshakeFailure) -> Void
    private var engine: (any HandshakeEngine)?
    private var received = 0
    private var step = Step.handshake

    private enum Step {
        case handshake, judging, open
        /// The peer's records can't be read any more; the handlers behind this one still get its events.
        case broken
        /// It was never open.
        case over
    }

    /// - Parameters:
    ///   - request: the handshake with the peer, like that of ``HandshakeRequest/toProxy``.
    ///   - makeEngine: makes an engine of the stack that the connection is for.
    ///   - presented: called with the peer's certificates before they are judged.
    ///   - fail: called once if there is no TLS, or if it breaks later by anything but a close.
    init(
        _ request: HandshakeRequest, makeEngine: @escaping EngineMaker,
        presented: @escaping ([[UInt8]]) -> Void = { _ in }, fail: @escaping (HandshakeFailure) -> Void
    ) {
        self.request = request
        self.makeEngine = makeEngine
        self.presented = presented
        self.fail = fail
    }

    func channelActive(context: ChannelHandlerContext) {
        do throws(HandshakeFailure) {
            engine = try makeEngine(request)
        } catch {
            return end(error)
        }
        pump(context)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard let engine, step != .over, step != .broken else { return }
        let bytes = unwrapInboundIn(data)
        engine.receive(bytes.readableBytesSpan)
        switch step {
        case .open: relay(context)
        case .handshake, .judging:
            received += bytes.readableBytes
            guard received <= HandshakeLimits.handshakeBytes else { return end(HandshakeLimits.excess) }
            if step == .handshake { pump(context) }
        case .broken, .over: break
        }
    }

    func channelInactive(context: ChannelHandlerContext) {
        guard step == .open || step == .broken else {
            return end(refusal ?? HandshakeFailure(.connectionClosed, "it closed the connection"))
        }
        context.fireChannelInactive()
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        guard step != .open, step != .broken else { return context.fireErrorCaught(error) }
        let broken = BrokenConnection(error)
        let failure =
            broken.isReset
            ? HandshakeFailure(.connectionReset, "it reset the connection", nativeCode: broken.nativeCode)
            : HandshakeFailure(
                .connectionClosed, "the connection broke: \(broken.reason)", nativeCode: broken.nativeCode)
        end(refusal ?? failure)
    }

    /// The reason that the peer gave before the connection ended, while its certificate is being judged and nothing reads what it
    /// sends; nil if it gave none.
    private var refusal: HandshakeFailure? {
        guard step == .judging, let end = engine?.decrypt().end, !end.isClose else { return nil }
        return end.afterHandshake
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard step == .open, let engine else {
            promise?.fail(ChannelError.ioOnClosedChannel)
            return
        }
        do throws(RecordFailure) {
            let bytes = unwrapOutboundIn(data)
            try engine.encrypt(bytes.readableBytesSpan)
        } catch {
            promise?.fail(error)
            return
        }
        context.write(wrapOutboundOut(context.channel.allocator.buffer(bytes: engine.takeOutput())), promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode != .input { endOurSide(context) }
        context.close(mode: mode, promise: promise)
    }

    private func endOurSide(_ context: ChannelHandlerContext) {
        guard step == .open, let engine else { return }
        engine.close()
        send(engine.takeOutput(), context)
    }

    private func pump(_ context: ChannelHandlerContext) {
        guard let engine else { return }
        let progress = engine.advance()
        send(engine.takeOutput(), context)
        switch progress {
        case .needsInput: break
        case .complete: judge(context)
        case .failed(let failure): end(failure)
        }
    }

    /// Has the stack decide whether the peer is trusted, off the event loop.
    private func judge(_ context: ChannelHandlerContext) {
        var facts = HandshakeReport()
        guard let decide = engine?.fill(&facts) else {
            return end(HandshakeFailure(.protocolError, "it presents no certificate"))
        }
        step = .judging
        presented(facts.chain)
        let bound = NIOLoopBound((handler: self, context: context), eventLoop: context.eventLoop)
        context.eventLoop.makeFutureWithTask { decide() }.whenComplete { reading in
            bound.value.handler.judged(reading, bound.value.context)
        }
    }

    private func judged(_ reading: Result<TrustReading, any Error>, _ context: ChannelHandlerContext) {
        guard step == .judging else { return }
        guard case .success(let reading) = reading, reading.isAccepted else {
            let problem = (try? reading.get())?.problems.first
            return end(
                HandshakeFailure(
                    .protocolError, "its certificate is not trusted: \(problem?.message ?? "no decision")",
                    nativeCode: problem?.cause.rawValue))
        }
        step = .open
        context.fireChannelActive()
        relay(context)
    }

    /// Passes on what the peer sent inside TLS.
    private func relay(_ context: ChannelHandlerContext) {
        guard step == .open, let engine else { return }
        let plain = engine.decrypt()
        send(engine.takeOutput(), context)
        if !plain.bytes.isEmpty {
            context.fireChannelRead(wrapInboundOut(context.channel.allocator.buffer(bytes: plain.bytes)))
        }
        guard let end = plain.end else { return }
        if !end.isClose { breakOff(end, context) }
        endOurSide(context)
        context.close(promise: nil)
    }

    /// Reports an alert, or a record that can't be decrypted: neither is a close (RFC 8446 sections 5.2 and 6.2).
    private func breakOff(_ end: RecordFailure, _ context: ChannelHandlerContext) {
        step = .broken
        fail(end.afterHandshake)
        context.fireErrorCaught(end)
    }

    private func send(_ bytes: [UInt8], _ context: ChannelHandlerContext) {
        guard !bytes.isEmpty else { return }
        context.writeAndFlush(wrapOutboundOut(context.channel.allocator.buffer(bytes: bytes)), promise: nil)
    }

    private func end(_ failure: HandshakeFailure) {
        guard step != .over else { return }
        step = .over
        fail(failure)
    }
}
