import NIOCore
import ProbeKit

/// Answers queries over TCP with a zone's behaviours.
final class LabStreamHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer
    typealias OutboundOut = ByteBuffer

    private let zone: LabDNSZone
    private let journal: LabDNSJournal
    private var received = ByteBuffer()

    init(_ zone: LabDNSZone, _ journal: LabDNSJournal) {
        self.zone = zone
        self.journal = journal
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        var chunk = unwrapInboundIn(data)
        received.writeBuffer(&chunk)
        let port = UInt16(truncatingIfNeeded: context.remoteAddress?.port ?? 0)
        while let message = received.readLengthPrefixedSlice(as: UInt16.self) {
            guard let query = LabDNSQuery(Array(message.readableBytesView), over: .tcp, from: port) else { continue }
            _ = journal.note(query)
            let behaviour = zone.behaviour(for: query.name)
            let replies = behaviour.messages(for: query).map { $0.wireBytes(to: query) }
            send(replies, behaviour.stream, on: context.channel)
        }
    }

    private func send(_ replies: [[UInt8]], _ stream: LabDNSBehaviour.Stream, on channel: any Channel) {
        let framed = replies.flatMap { word(UInt16($0.count)) + $0 }
        switch stream {
        case .plain: channel.writeAndFlush(ByteBuffer(bytes: framed), promise: nil)
        case .dribbled(let pause): dribble(framed[...], TimeAmount(pause), on: channel)
        case .closed: channel.close(promise: nil)
        case .half: sendAndClose(framed.prefix(framed.count / 2), on: channel)
        case .claimedLength(let length): sendAndClose((word(length) + framed.dropFirst(2))[...], on: channel)
        case .silent: break
        }
    }

    private func sendAndClose(_ bytes: ArraySlice<UInt8>, on channel: any Channel) {
        channel.writeAndFlush(ByteBuffer(bytes: bytes)).whenComplete { _ in channel.close(promise: nil) }
    }

    private func dribble(_ bytes: ArraySlice<UInt8>, _ pause: TimeAmount, on channel: any Channel) {
        guard let first = bytes.first, channel.isActive else { return }
        channel.writeAndFlush(ByteBuffer(bytes: [first]), promise: nil)
        channel.eventLoop.assumeIsolated().scheduleTask(in: pause) {
            self.dribble(bytes.dropFirst(), pause, on: channel)
        }
    }
}
