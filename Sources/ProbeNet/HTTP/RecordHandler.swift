import NIOCore
import ProbeKit

/// TLS between a channel and the handlers of HTTP behind it, done by an engine whose handshake is complete.
///
/// Before ``begin()`` it only stores arriving data.
final class RecordHandler: ChannelDuplexHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    /// Called with a sentence why no response can come any more.
    var onEnd: ((String) -> Void)?
    /// The server's request for a client certificate meanwhile.
    var lateCertificateRequest: LateCertificateRequest? { engine.lateCertificateRequest }
    /// The reason why nothing more can come.
    private(set) var end: RecordFailure?
    private let engine: any HandshakeEngine
    private var context: ChannelHandlerContext?
    private var hasBegun = false
    private var receivedCount = 0
    /// The peer's earlier bytes, still to be passed on.
    private var received: [UInt8]
    /// True if there are some.
    var hasReceived: Bool { !received.isEmpty }

    init(_ engine: any HandshakeEngine, received: [UInt8] = []) {
        self.engine = engine
        self.received = received
    }

    /// Reads the data that has arrived, and everything from now on.
    func begin() {
        hasBegun = true
        if let context { read(context) }
    }

    /// Reads the end of a connection that is gone before anything was read: the data that has arrived may end in the peer's
    /// alert.
    func readRest() {
        guard end == nil, !didReceiveTooMuch else { return }
        end = engine.decrypt().end
    }

    /// True if the peer sent more than a response can contain; none of it is read then.
    private var didReceiveTooMuch: Bool { receivedCount > HTTPExchange.maximumResponseBytes }

    func handlerAdded(context: ChannelHandlerContext) { self.context = context }
    func handlerRemoved(context: ChannelHandlerContext) { self.context = nil }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let bytes = unwrapInboundIn(data)
        receivedCount += bytes.readableBytes
        if !didReceiveTooMuch { engine.receive(bytes.readableBytesSpan) }
        if hasBegun { read(context) }
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        let bytes = unwrapOutboundIn(data)
        do throws(RecordFailure) {
            try engine.encrypt(bytes.readableBytesSpan)
        } catch {
            promise?.fail(error)
            return
        }
        context.write(wrapOutboundOut(ByteBuffer(bytes: engine.takeOutput())), promise: promise)
    }

    func close(context: ChannelHandlerContext, mode: CloseMode, promise: EventLoopPromise<Void>?) {
        if mode != .input, end?.isClose ?? true {
            engine.close()
            let output = engine.takeOutput()
            if !output.isEmpty { context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: output)), promise: nil) }
        }
        context.close(mode: mode, promise: promise)
    }

    private func read(_ context: ChannelHandlerContext) {
        if didReceiveTooMuch {
            onEnd?(HTTPExchange.excess)
            return
        }
        let plaintext = engine.decrypt()
        // TLS's own output, like a key update, or an alert for an error.
        let output = engine.takeOutput()
        if !output.isEmpty { context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: output)), promise: nil) }
        let bytes = received + plaintext.bytes
        received = []
        if !bytes.isEmpty {
            context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: bytes)))
            context.fireChannelReadComplete()
        }
        guard let end = plaintext.end else { return }
        self.end = end
        onEnd?(end.description)
    }
}
