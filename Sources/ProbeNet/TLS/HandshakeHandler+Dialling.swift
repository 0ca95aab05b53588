import NIOCore
import NIOPosix
import ProbeKit

extension HandshakeHandler {
    /// Dials, and returns a future of an ending by the deadline.
    func connect() -> EventLoopFuture<HandshakeEnding> {
        let bound = NIOLoopBound(self, eventLoop: loop)
        let remaining = TimeAmount(request.deadline.remaining)
        guard remaining > .zero else {
            finish(place.timeout())
            return ending.futureResult
        }
        deadline = loop.scheduleTask(in: remaining) { bound.value.deadlinePassed() }
        place.target(of: request, lookup, on: loop).whenComplete { target in
            bound.value.connect(to: target, within: remaining)
        }
        return ending.futureResult
    }

    private func connect(to target: Result<Endpoint, any Error>, within remaining: TimeAmount) {
        guard !isFinished else { return }
        switch target {
        case .failure(let error):
            return finish(ConnectFailure.of(error, endpoint: request.endpoint, dialled: "\(request.endpoint)"))
        case .success(let target): dialogue = DialogueRun(request, to: target)
        }
        let bound = NIOLoopBound(self, eventLoop: loop)
        let bootstrap = ClientBootstrap(group: loop)
            .connectTimeout(max(remaining, .milliseconds(1)))
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard !bound.value.isFinished else { throw ChannelError.alreadyClosed }
                    bound.value.channels.append(channel)
                    try bound.value.addHandlers(to: channel)
                }
            }
        place.dial(bootstrap, lookup, on: loop, by: request.deadline).whenFailure { error in
            bound.value.finish(bound.value.place.failure(error))
        }
    }

    /// Adds this handler, behind the TLS with the proxy if there is one.
    private func addHandlers(to channel: any Channel) throws {
        let pipeline = channel.pipeline.syncOperations
        if let outer = request.toProxy {
            let bound = NIOLoopBound(self, eventLoop: loop)
            try pipeline.addHandler(
                TrustedTLSHandler(outer, makeEngine: makeEngine) { [place] in
                    bound.value.finish(place.tlsFailure($0))
                })
        }
        try pipeline.addHandler(self)
    }
}
