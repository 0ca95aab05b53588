import NIOCore

/// Sends the output of the handlers above it a few bytes at a time.
final class PaceHandler: ChannelOutboundHandler {
    typealias OutboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let pace: LabPace
    private var waiting = ByteBuffer()
    private var turn: Scheduled<Void>?
    private var hasBegun = false

    init(_ pace: LabPace) {
        self.pace = pace
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        waiting.writeImmutableBuffer(unwrapOutboundIn(data))
        promise?.succeed()
        if turn == nil { send(context) }
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        turn?.cancel()
        turn = nil
    }

    private func send(_ context: ChannelHandlerContext) {
        turn = nil
        let count = min(hasBegun ? pace.bytes : pace.first, waiting.readableBytes)
        guard context.channel.isActive, count > 0, let bytes = waiting.readSlice(length: count) else { return }
        hasBegun = true
        context.writeAndFlush(wrapOutboundOut(bytes), promise: nil)
        turn = context.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(pace.pause)) { self.send(context) }
    }
}

/// The speed of a slow server, and the places where its bytes are split: a number of bytes, then a pause.
public struct LabPace: Hashable, Sendable {
    /// The bytes sent before the first pause.
    public let first: Int
    /// The bytes sent at a time after that.
    public let bytes: Int
    /// The pause after them.
    public let pause: Duration

    /// Creates a speed of a number of bytes at a time, at least one, with a pause after each.
    ///
    /// - Parameter first: the bytes sent before the first pause, if it is another number.
    public init(first: Int? = nil, bytes: Int, pause: Duration) {
        self.first = max(first ?? bytes, 1)
        self.bytes = max(bytes, 1)
        self.pause = pause
    }
}
