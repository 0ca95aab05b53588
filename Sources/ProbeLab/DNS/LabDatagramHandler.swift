import NIOCore
import ProbeKit

/// Answers queries over UDP with a zone's behaviours.
final class LabDatagramHandler: ChannelInboundHandler {
    typealias InboundIn = AddressedEnvelope<ByteBuffer>
    typealias OutboundOut = AddressedEnvelope<ByteBuffer>

    private let zone: LabDNSZone
    private let journal: LabDNSJournal
    /// Another socket of this server, for replies from a wrong port.
    private let elsewhere: any Channel

    init(_ zone: LabDNSZone, _ journal: LabDNSJournal, elsewhere: any Channel) {
        self.zone = zone
        self.journal = journal
        self.elsewhere = elsewhere
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let envelope = unwrapInboundIn(data)
        let port = UInt16(truncatingIfNeeded: envelope.remoteAddress.port ?? 0)
        guard let query = LabDNSQuery(Array(envelope.data.readableBytesView), over: .udp, from: port) else { return }
        let isFirst = journal.note(query)
        let actions = zone.behaviour(for: query.name).actions(for: query, isFirst: isFirst)
        perform(actions[...], for: query, from: envelope.remoteAddress, on: context.channel)
    }

    private func perform(
        _ actions: ArraySlice<LabDNSBehaviour.Action>, for query: LabDNSQuery, from client: SocketAddress,
        on channel: any Channel
    ) {
        var actions = actions
        // A loop: a flood of thousands, one call within the other, would be too deep for the stack.
        while let action = actions.popFirst() {
            let rest = actions
            switch action {
            case .reply(let message): send(message.wireBytes(to: query), to: client, from: channel)
            case .replyFromElsewhere(let message): send(message.wireBytes(to: query), to: client, from: elsewhere)
            case .send(let bytes): send(bytes, to: client, from: channel)
            case .wait(let duration):
                channel.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(duration)) {
                    self.perform(rest, for: query, from: client, on: channel)
                }
                return
            case .await(let signal):
                let loop = channel.eventLoop
                let bound = NIOLoopBound(self, eventLoop: loop)
                signal.whenGiven {
                    loop.execute { bound.value.perform(rest, for: query, from: client, on: channel) }
                }
                return
            case .give(let signal): signal.give()
            }
        }
    }

    private func send(_ bytes: [UInt8], to client: SocketAddress, from channel: any Channel) {
        let envelope = AddressedEnvelope(remoteAddress: client, data: ByteBuffer(bytes: bytes))
        channel.writeAndFlush(envelope, promise: nil)
    }
}
