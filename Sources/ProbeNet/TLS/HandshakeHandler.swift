import NIOCore
import NIOPosix
import ProbeKit

/// One handshake on one event loop: speaks the dialogues before TLS, if there are any, and moves bytes between a channel and
/// an engine until the handshake has ended. If an exchange may follow, it then hands the connection over, and passes on the
/// channel's events.
///
/// Everything here runs on `loop`.
final class HandshakeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    private let request: HandshakeRequest
    private let lookup: HostLookup
    private let loop: any EventLoop
    private let makeEngine: EngineMaker
    /// True if it ends with the socket where TLS would begin.
    private let opensOnly: Bool
    private let place: DialledPlace
    private let ending: EventLoopPromise<HandshakeEnding>
    private var times = HandshakeTimes()
    /// The time that a server gets to refuse, beyond that of the handshake.
    private let patience: TimeAmount

    /// All sockets, connected or not: happy eyeballs may open several.
    private var channels: [any Channel] = []
    private var channel: (any Channel)?
    /// The connection that is up, which this handler hears of once the TLS with a proxy is.
    private var liveChannel: (any Channel)? { channel ?? channels.first { $0.isActive } }
    private var engine: (any HandshakeEngine)?
    /// The dialogues that come before TLS; nil once they are over.
    private var dialogue: DialogueRun?
    /// The bounds of the peer's records up to the end of the handshake.
    private var records = RecordBounds()
    /// Set while the server may still refuse.
    private var refusal: LateRefusal?
    private var silence: Scheduled<Void>?
    private var deadline: Scheduled<Void>?
    /// True if bytes came after the dialogues.
    private var sawPeerBytes = false
    /// The peer's first bytes of TLS; nil once they have shown themselves to be that.
    private var opening: OpeningBytes? = OpeningBytes()
    /// The bytes that the peer sent before the handshake was complete.
    private var received = 0
    private var isFinished = false
    private var isHandedOver = false
    /// The failure of the connection that a socket is relayed to.
    private var relay: RelayFailure?

    init(
        _ request: HandshakeRequest, lookup: HostLookup, loop: any EventLoop, opensOnly: Bool,
        refusalPatience: Duration, makeEngine: @escaping EngineMaker
    ) {
        self.request = request
        self.opensOnly = opensOnly
        place = DialledPlace(request)
        self.lookup = lookup
        self.loop = loop
        self.makeEngine = makeEngine
        patience = TimeAmount(refusalPatience)
        ending = loop.makePromise()
    }

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

    /// Ends the handshake, complete or not, with the facts so far. Only the first call counts, so that a failure while
    /// the last bytes are sent changes nothing.
    func finish(_ failure: HandshakeFailure?, sending output: [UInt8] = []) {
        guard !isFinished else { return }
        isFinished = true
        // In one write with what is left of the handshake.
        send(failure == nil && request.exchange == nil ? output + farewell() : output)
        deadline?.cancel()
        silence?.cancel()
        var facts = HandshakeReport()
        facts.failure = failure
        // Behind a proxy the server's address is not known here.
        if request.route.proxy == nil { facts.peerAddress = channel?.remoteAddress?.ipAddress }
        times.fill(&facts.timings, isBeforeTLS: dialogue != nil)
        let decision = engine?.fill(&facts)
        engine?.lateCertificateRequest?.fill(&facts)
        let connection = failure == nil ? handOver(&facts) : nil
        let socket = failure == nil && opensOnly ? open(&facts) : nil
        for channel in channels where !isHandedOver || channel !== self.channel { channel.close(promise: nil) }
        channels = []
        engine = nil
        ending.succeed(HandshakeEnding(facts, decision, connection: connection, socket: socket))
    }

    /// Returns the end of our side of a complete connection.
    private func farewell() -> [UInt8] {
        guard let engine else { return [] }
        engine.close()
        return engine.takeOutput()
    }

    /// Returns the socket on which TLS may begin. Without one the facts have a failure.
    private func open(_ facts: inout HandshakeReport) -> OpenSocket? {
        let socket = channel.flatMap { OpenSocket.of($0, for: request, to: place) }
        relay = socket?.relay
        isHandedOver = relay != nil
        if socket == nil {
            facts.failure = HandshakeFailure(.backendError, "the connection has no socket to hand over")
        }
        return socket
    }

    /// Keeps the connection open if it may be used for a request; nil if not. An error on the way is in the facts.
    private func handOver(_ facts: inout HandshakeReport) -> NIOLoopBound<OpenConnection>? {
        guard request.exchange != nil, let channel, let engine else { return nil }
        do {
            let connection = try OpenConnection(
                channel, engine, received: refusal?.plaintext ?? [], until: request.deadline)
            isHandedOver = true
            return NIOLoopBound(connection, eventLoop: loop)
        } catch {
            facts.http = HTTPReport(
                .none("the connection can't be used for a request: \(BrokenConnection(error).reason)"))
            return nil
        }
    }

    // MARK: Events of the channel

    func channelActive(context: ChannelHandlerContext) {
        // Happy eyeballs may open a second connection; the first one that is up carries the handshake.
        guard channel == nil, !isFinished else { return context.close(promise: nil) }
        channel = context.channel
        times.connected = .now()
        if dialogue == nil { begin() } else { talk([UInt8]()) }
    }

    /// Takes the peer's bytes before TLS, and begins with TLS when they allow it.
    private func talk(_ bytes: some Collection<UInt8>) {
        switch dialogue?.receive(bytes) {
        case .waits(let output): send(output)
        case .failed(let failure): finish(failure)
        case .ready(let output):
            send(output)
            dialogue = nil
            times.wentAhead = .now()
            begin()
        case nil: break
        }
    }

    /// Begins with TLS.
    private func begin() {
        guard !isFinished else { return }
        guard !opensOnly else { return finish(nil) }
        do throws(HandshakeFailure) {
            engine = try makeEngine(request)
        } catch {
            return finish(error)
        }
        pump()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if isHandedOver { return context.fireChannelRead(data) }
        guard !isFinished, context.channel === channel else { return }
        let arrived = unwrapInboundIn(data)
        if dialogue != nil { return talk(arrived.readableBytesView) }
        sawPeerBytes = true
        guard let engine, let bytes = opened(by: arrived) else { return }
        guard refusal == nil else { return listen(to: bytes) }
        received += bytes.readableBytes
        guard received <= HandshakeLimits.handshakeBytes else { return finish(HandshakeLimits.excess) }
        records.take(bytes)
        engine.receive(bytes.readableBytesSpan)
        pump()
    }

    func channelInactive(context: ChannelHandlerContext) {
        if isHandedOver { return context.fireChannelInactive() }
        guard context.channel === channel else { return }
        finish(clearText ?? unlessContinued(step.closed))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isHandedOver {
            relay?.take(error)
            return context.fireErrorCaught(error)
        }
        guard context.channel === channel else { return }
        finish(clearText ?? unlessContinued(step.broken(by: error)))
    }

    /// Waits for one more turn of the loop: what the kernel had by the deadline counts, and a late loop has not read it.
    /// A loop with much to do may run this before it reads, so that there are more turns while bytes are unread; not
    /// without end, since the peer may go on sending.
    private func deadlinePassed(turns: Int = 100) {
        let bound = NIOLoopBound(self, eventLoop: loop)
        deadline = loop.scheduleTask(in: .milliseconds(1)) {
            guard turns > 1, let channel = bound.value.liveChannel else { return bound.value.giveUp() }
            UnreadBytes.wait(for: channel).assumeIsolated().whenSuccess { areUnread in
                areUnread ? bound.value.deadlinePassed(turns: turns - 1) : bound.value.giveUp()
            }
        }
    }

    private func giveUp() {
        guard times.connected != nil else { return finish(place.timeout(isConnected: liveChannel != nil)) }
        finish(clearText ?? step.timedOut(request))
    }

    private func pump() {
        guard let engine else { return }
        let progress = engine.advance()
        let output = engine.takeOutput()
        switch progress {
        case .needsInput: send(output)
        case .complete where engine.mayBeRefusedLate: awaitRefusal(sending: output)
        case .complete: finish(nil, sending: output)
        case .failed(let failure): finish(sawPeerBytes ? failure : Self.own(failure), sending: output)
        }
    }

    /// The step that is under way.
    private var step: HandshakeStep {
        if refusal != nil { return .refusal }
        return dialogue.map { .dialogue($0) } ?? .tls(didReceive: sawPeerBytes)
    }

    /// Returns a failure from before the peer's first byte: it is not the peer's doing.
    private static func own(_ failure: HandshakeFailure) -> HandshakeFailure {
        failure.code == .protocolError
            ? HandshakeFailure(.backendError, failure.message, nativeCode: failure.nativeCode) : failure
    }

    /// Gives the server a moment to refuse a client without a certificate. What arrives while the output is sent is after the
    /// handshake already.
    private func awaitRefusal(sending output: [UInt8]) {
        let now = NIODeadline.now()
        times.completed = now
        let bound = NIOLoopBound(self, eventLoop: loop)
        let handshake = times.connected.map { now - $0 } ?? .zero
        refusal = LateRefusal(after: records, answersFrom: now + handshake)
        silence = loop.scheduleTask(in: handshake + patience) { bound.value.finish(nil) }
        send(output)
        listen(to: ByteBuffer())
    }

    /// Returns the failure of a connection that ended without an alert; nil if the server had continued with the client.
    private func unlessContinued(_ failure: HandshakeFailure) -> HandshakeFailure? {
        refusal?.hasContinued == true ? nil : failure
    }

    private func listen(to bytes: ByteBuffer) {
        guard let engine, let word = refusal?.word(of: engine, after: bytes, at: .now()) else { return }
        let output = engine.takeOutput()
        switch word {
        case .none: send(output)
        case .goesOn: finish(nil, sending: output)
        case .refuses(let failure): finish(failure, sending: output)
        }
    }

    /// Sends bytes. Where the connection breaks over them, NIO first passes on what arrived before, and reports the reason to
    /// the write alone.
    private func send(_ bytes: [UInt8]) {
        guard let channel, !bytes.isEmpty else { return }
        let sent = loop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenFailure { error in
            // The others are those of a connection that was closed before, which is reported where it is.
            guard error is IOError else { return }
            self.finish(self.clearText ?? self.unlessContinued(self.step.broken(by: error)))
        }
        // The promise fails within the call, just before the connection is inactive.
        channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: sent)
    }

    /// Returns the bytes for the engine; nil while there are none, or if the peer does not use TLS, which ends the handshake.
    private func opened(by arrived: ByteBuffer) -> ByteBuffer? {
        guard let word = opening?.take(arrived) else { return arrived }
        switch word {
        case .none: return nil
        case .unnamed:
            awaitGreeting()
            return nil
        case .record(let bytes):
            opening = nil
            return bytes
        case .clearText(let bytes):
            finish(failure(of: bytes))
            return nil
        }
    }

    /// Gives a peer that does not use TLS a moment to say what it uses.
    private func awaitGreeting() {
        guard silence == nil else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        silence = loop.scheduleTask(in: OpeningBytes.patience) {
            if let failure = bound.value.clearText { bound.value.finish(failure) }
        }
    }

    /// The failure of a peer whose first bytes are too few for a TLS record, and can't begin one; nil if they can.
    private var clearText: HandshakeFailure? { opening?.clearText.map(failure(of:)) }

    /// Returns the failure of a peer that does not use TLS.
    private func failure(of clearText: ByteBuffer) -> HandshakeFailure {
        let bytes = clearText.readableBytesView
        return request.startTLS == nil ? .notTLS(bytes) : DialogueRun.injection(bytes)
    }
}
