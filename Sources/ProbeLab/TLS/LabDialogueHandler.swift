import NIOCore

/// Plays the server's side of a ``LabDialogue``, and has TLS begin after it.
final class LabDialogueHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private var steps: ArraySlice<LabDialogue.Step>
    private var heard: [UInt8] = []
    private var isOver = false
    private let secure: (any Channel) throws -> EventLoopFuture<Void>

    init(_ dialogue: LabDialogue, then secure: @escaping (any Channel) throws -> EventLoopFuture<Void>) {
        steps = dialogue.steps[...]
        self.secure = secure
    }

    func channelActive(context: ChannelHandlerContext) {
        play(context)
        context.fireChannelActive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isOver { return context.fireChannelRead(data) }
        heard += unwrapInboundIn(data).readableBytesView
        play(context)
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func play(_ context: ChannelHandlerContext) {
        while let step = steps.first {
            switch step {
            case .says(let bytes):
                context.writeAndFlush(wrapOutboundOut(ByteBuffer(bytes: bytes)), promise: nil)
            case .hears(let message):
                guard heard.count >= message.count else { return }
                guard heard.starts(with: message) else { return context.close(promise: nil) }
                heard.removeFirst(message.count)
            }
            steps = steps.dropFirst()
        }
        isOver = true
        do { _ = try secure(context.channel) } catch { return context.close(promise: nil) }
        if !heard.isEmpty { context.fireChannelRead(wrapInboundOut(ByteBuffer(bytes: heard))) }
    }
}
