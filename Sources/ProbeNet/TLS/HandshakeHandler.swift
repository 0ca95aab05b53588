import NIOCore
import ProbeKit

/// One handshake on one event loop: speaks the dialogues before TLS, if there are any, and moves bytes between a channel and
/// an engine until the handshake has ended. If an exchange may follow, it then hands the connection over, and passes on the
/// channel's events.
///
/// Everything here runs on `loop`.
final class HandshakeHandler: ChannelInboundHandler {
    typealias InboundIn = ByteBuffer

    let request: HandshakeRequest
    let lookup: HostLookup
    let loop: any EventLoop
    let makeEngine: EngineMaker
    /// True if it ends with the socket where TLS would begin.
    private let opensOnly: Bool
    let place: DialledPlace
    let ending: EventLoopPromise<HandshakeEnding>
    private var times = HandshakeTimes()
    /// The time that a server gets to refuse, beyond that of the handshake.
    private let patience: TimeAmount

    /// All sockets, connected or not: happy eyeballs may open several.
    var channels: [any Channel] = []
    private var channel: (any Channel)?
    /// The connection that is up, which this handler hears of once the TLS with a proxy is.
    private var liveChannel: (any Channel)? { channel ?? channels.first { $0.isActive } }
    private var engine: (any HandshakeEngine)?
    /// The dialogues that come before TLS; nil once they are over.
    var dialogue: DialogueRun?
    /// The bounds of the peer's records up to the end of the handshake.
    private var records = RecordBounds()
    /// Set while the server may still refuse.
    private var refusal: LateRefusal?
    private var silence: Scheduled<Void>?
    var deadline: Scheduled<Void>?
    /// True if bytes came after the dialogues.
    private var sawPeerBytes = false
    /// The peer's first bytes after the dialogues.
    private var greeting: PeerGreeting
    /// The bytes that the peer sent before the handshake was complete.
    private var received = 0
    private(set) var isFinished = false
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
        greeting = PeerGreeting(isAfterDialogue: request.startTLS != nil)
        ending = loop.makePromise()
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
                .unavailable(reason: "the connection can't be used for a request: \(BrokenConnection(error).reason)"))
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
        finish(greeting.failure ?? unlessContinued(step.closed))
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        if isHandedOver {
            relay?.take(error)
            return context.fireErrorCaught(error)
        }
        guard context.channel === channel else { return }
        finish(greeting.failure ?? unlessContinued(step.broken(by: error)))
    }

    /// Waits for one more turn of the loop: what the kernel had by the deadline counts, and a late loop has not read it.
    /// A loop with much to do may run this before it reads, so that there are more turns while bytes are unread; not
    /// without end, since the peer may go on sending.
    func deadlinePassed(turns: Int = 100) {
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
        finish(greeting.failure ?? step.timedOut(request))
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
        guard let engine, let progress = refusal?.progress(of: engine, after: bytes, at: .now()) else { return }
        let output = engine.takeOutput()
        switch progress {
        case .waiting: send(output)
        case .accepted: finish(nil, sending: output)
        case .refused(let failure): finish(failure, sending: output)
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
            self.finish(self.greeting.failure ?? self.unlessContinued(self.step.broken(by: error)))
        }
        // The promise fails within the call, just before the connection is inactive.
        channel.writeAndFlush(channel.allocator.buffer(bytes: bytes), promise: sent)
    }

    /// Returns the bytes for the engine; nil while there are none, or if the peer does not use TLS, which ends the handshake.
    private func opened(by arrived: ByteBuffer) -> ByteBuffer? {
        do throws(HandshakeFailure) {
            if let bytes = try greeting.take(arrived) { return bytes }
            if greeting.failure != nil { awaitGreeting() }
        } catch {
            finish(error)
        }
        return nil
    }

    /// Gives a peer that does not use TLS a moment to name what it uses.
    private func awaitGreeting() {
        guard silence == nil else { return }
        let bound = NIOLoopBound(self, eventLoop: loop)
        silence = loop.scheduleTask(in: OpeningBytes.patience) {
            if let failure = bound.value.greeting.failure { bound.value.finish(failure) }
        }
    }
}
