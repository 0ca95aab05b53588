import NIOCore
import ProbePlatform

/// Plays a ``LabScript`` on one connection.
final class ScriptHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let script: LabScript
    private var heard: ByteBuffer?

    init(_ script: LabScript) {
        self.script = script
    }

    func channelActive(context: ChannelHandlerContext) {
        switch script.cue {
        case .accept: play(on: context.channel)
        case .clientHello, .firstBytes: heard = ByteBuffer()
        }
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard var heard else { return }
        heard.writeImmutableBuffer(unwrapInboundIn(data))
        if script.cue == .firstBytes || Self.holdsRecord(heard) {
            self.heard = nil
            play(on: context.channel)
        } else {
            self.heard = heard
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    /// Returns true if the first record is complete. Bytes that are not TLS count as a record after the first five.
    private static func holdsRecord(_ buffer: ByteBuffer) -> Bool {
        guard let type = buffer.getInteger(at: 0, as: UInt8.self),
            let length = buffer.getInteger(at: 3, as: UInt16.self)
        else { return false }
        return type != 22 || buffer.readableBytes >= 5 + Int(length)
    }

    private func play(on channel: any Channel) {
        guard !script.bytes.isEmpty else { return finish(on: channel) }
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        channel.writeAndFlush(ByteBuffer(bytes: script.bytes)).whenSuccess { bound.value.finish(on: channel) }
    }

    private func finish(on channel: any Channel) {
        if !script.refrain.isEmpty {
            let times = max(1, 16_384 / script.refrain.count)
            let chorus = [[UInt8]](repeating: script.refrain, count: times).joined()
            Self.sing(ByteBuffer(bytes: chorus), on: channel)
            return
        }
        switch script.end {
        case .silence: break
        case .close: channel.close(mode: .output, promise: nil)
        case .reset: Self.reset(channel)
        }
    }

    /// Sends the buffer repeatedly, each time after the one before has been sent, until the connection is gone.
    private static func sing(_ chorus: ByteBuffer, on channel: any Channel) {
        channel.writeAndFlush(chorus).whenSuccess {
            // In a turn of its own: other connections share the loop.
            channel.eventLoop.execute { sing(chorus, on: channel) }
        }
    }

    /// Closes with a linger time of zero, which makes the kernel send RST; below TLS, which would send close_notify
    /// first.
    private static func reset(_ channel: any Channel) {
        guard let options = channel as? any SocketOptionProvider else { return }
        options.setSoLinger(linger(l_onoff: 1, l_linger: 0)).whenComplete { _ in
            if let outlet = try? channel.pipeline.syncOperations.context(handlerType: PlaintextHandler.Outlet.self) {
                outlet.close(promise: nil)
            } else {
                channel.close(promise: nil)
            }
        }
    }
}
