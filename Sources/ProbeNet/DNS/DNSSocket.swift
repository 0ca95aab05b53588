import NIOCore
import NIOPosix
import ProbeKit

/// One socket for one query: opened, connected to one server, and closed when the reply has come, at the deadline, or
/// when the task is cancelled. Each has a source port of its own, chosen by the kernel.
struct DNSSocket: Sendable {
    let server: SocketAddress
    let query: [UInt8]
    let filter: ReplyFilter
    let deadline: Deadline

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
            return Collected(reply: nil, dropped: collected?.dropped ?? [], failure: .cancelled)
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
                    transport == .tcp
                    ? StreamHandler(query: query, collector: collector)
                    : DatagramHandler(query: query, collector: collector)
                try channel.pipeline.syncOperations.addHandler(handler)
                closeAtDeadline(channel, collector)
            }
        }
        guard transport == .tcp else {
            return DatagramBootstrap(group: loop)
                .channelOption(.recvAllocator, value: FixedSizeRecvByteBufferAllocator(capacity: Self.datagramSize))
                .channelInitializer(initialize).connect(to: server)
        }
        return ClientBootstrap(group: loop).channelInitializer(initialize).connect(to: server)
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
