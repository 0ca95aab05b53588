import NIOCore
import NIOPosix
public import ProbeKit
import ProbePlatform

/// Runs an engine's handshake over a TCP connection: owns the socket, the deadline and the timings.
///
/// Thousands of handshakes share the event loops; a deadline is one `close`.
public enum HandshakeDriver: Sendable {
    /// Connects, runs one handshake, collects its facts, and makes the engine's trust decision. Without an exchange the
    /// connection is closed before that; with one, as soon as it was refused or has ended.
    ///
    /// - Parameters:
    ///   - request: the endpoint and the deadline.
    ///   - network: the event loops and the lookup of names.
    ///   - makeEngine: makes the engine of the handshake, and before it that of the TLS with a proxy.
    /// - Returns: the facts. The connection ends by the deadline, and immediately when the task is cancelled.
    public static func run(
        _ request: HandshakeRequest, over network: ProbeNetwork = .shared,
        makeEngine: @escaping EngineMaker
    ) async -> HandshakeReport {
        if let refusal = request.route.proxy.flatMap(ProxyDialogues.refusal)
            ?? OfferCheck.refusal(request, makeEngine: { () throws(HandshakeFailure) in try makeEngine(request) })
        {
            return HandshakeReport(failure: refusal)
        }
        let ending = await connect(request, over: network, opensOnly: false, makeEngine: makeEngine)
        var report = ending.report
        if let decide = ending.decision { report = await judge(report, decide) }
        guard let connection = ending.connection, let exchange = request.exchange else { return report }
        guard await exchange.isApproved(report) else {
            connection.eventLoop.execute { connection.value.close() }
            return report
        }
        await head(exchange, alpn: report.alpn, over: connection).fill(&report)
        return report
    }

    /// Connects and goes as far as where TLS begins: through the dialogues of a proxy and of the protocol that starts TLS.
    ///
    /// - Parameters:
    ///   - request: the endpoint, the protocol and the deadline.
    ///   - network: the event loops and the lookup of names.
    ///   - makeEngine: makes the engine of the TLS with a proxy.
    /// - Returns: the facts so far, and the connection's socket unless they have a failure.
    public static func open(
        _ request: HandshakeRequest, over network: ProbeNetwork = .shared, makeEngine: @escaping EngineMaker
    ) async -> (report: HandshakeReport, socket: OpenSocket?) {
        if let refusal = request.route.proxy.flatMap(ProxyDialogues.refusal) {
            return (HandshakeReport(failure: refusal), nil)
        }
        let ending = await connect(request, over: network, opensOnly: true, makeEngine: makeEngine)
        return (ending.report, ending.socket)
    }

    /// Makes the approved request.
    private static func head(
        _ exchange: HTTPExchange, alpn: String?, over connection: NIOLoopBound<OpenConnection>
    ) async -> ExchangeEnding {
        await withTaskCancellationHandler {
            do {
                return try await connection.eventLoop.flatSubmit { connection.value.head(exchange, alpn: alpn) }.get()
            } catch {
                return ExchangeEnding(http: HTTPReport(.none("the event loop refused: \(error)")))
            }
        } onCancel: {
            connection.eventLoop.execute { connection.value.finish(.none(cancelled.message)) }
        }
    }

    /// Verifying signatures takes longer for larger keys, so it runs neither on the event loop nor on the caller's
    /// actor.
    @concurrent private static func judge(
        _ report: HandshakeReport, _ decide: TrustDecision
    ) async -> HandshakeReport {
        var report = report
        var reading: TrustReading?
        report.timings.trust = ContinuousClock().measure { reading = decide() }
        report.nativeTrust = reading
        return report
    }

    private static func connect(
        _ request: HandshakeRequest, over network: ProbeNetwork, opensOnly: Bool, makeEngine: @escaping EngineMaker
    ) async -> HandshakeEnding {
        let (loop, patience) = (network.group.next(), HandshakeLimits.refusalPatience)
        let phase = NIOLoopBoundBox.makeEmptyBox(valueType: Phase.self, eventLoop: loop)
        return await withTaskCancellationHandler {
            do {
                return try await loop.flatSubmit {
                    if case .cancelled = phase.value {
                        return loop.makeSucceededFuture(HandshakeEnding(failure: Self.cancelled))
                    }
                    let handler = HandshakeHandler(
                        request, lookup: network.lookup, loop: loop, opensOnly: opensOnly,
                        refusalPatience: patience, makeEngine: makeEngine)
                    phase.value = .running(handler)
                    return handler.connect()
                }.get()
            } catch {
                // The handler's promise is never failed: only the event loop itself can refuse the work.
                return HandshakeEnding(failure: HandshakeFailure(.backendError, "the event loop refused: \(error)"))
            }
        } onCancel: {
            loop.execute {
                if case .running(let handler) = phase.value {
                    handler.finish(Self.cancelled)
                } else {
                    phase.value = .cancelled
                }
            }
        }
    }

    private enum Phase {
        case running(HandshakeHandler)
        case cancelled
    }

    private static let cancelled = HandshakeFailure(.backendError, "the probe was cancelled")
}

/// Makes the engine of one handshake on the event loop that it will live on.
public typealias EngineMaker = @Sendable (HandshakeRequest) throws(HandshakeFailure) -> any HandshakeEngine

extension TimeAmount {
    /// Converts a duration of the standard library into NIO's nanoseconds.
    init(_ duration: Duration) {
        let (seconds, attoseconds) = duration.components
        self = .nanoseconds(seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
    }
}

/// The state after a handshake: its facts, the trust decision still to be made on them, and the connection, if it may
/// be used.
struct HandshakeEnding: Sendable {
    let report: HandshakeReport
    let decision: TrustDecision?
    /// It has to be closed, or used for its exchange, which closes it.
    let connection: NIOLoopBound<OpenConnection>?
    /// The socket, where there is no engine.
    let socket: OpenSocket?

    init(
        _ report: HandshakeReport, _ decision: TrustDecision?, connection: NIOLoopBound<OpenConnection>? = nil,
        socket: OpenSocket? = nil
    ) {
        self.report = report
        self.decision = decision
        self.connection = connection
        self.socket = socket
    }

    /// Creates the ending of a failed handshake.
    init(failure: HandshakeFailure) {
        self.init(HandshakeReport(failure: failure), nil)
    }
}

/// The kernel's count of what came for a socket and was not read yet.
enum UnreadBytes {
    /// SO_MEMINFO of socket(7): nine counts, the first one of the memory that received bytes take.
    private typealias Memory = InlineArray<9, UInt32>
    private static let option = NIOBSDSocket.Option(rawValue: 55)

    /// Returns a future of whether there are any, which is there at once on the channel's loop. Where there is no count, one
    /// more turn of the loop has to do.
    static func wait(for channel: any Channel) -> EventLoopFuture<Bool> {
        guard Platform.countsUnreadBytes, let socket = channel as? any SocketOptionProvider else {
            return channel.eventLoop.makeSucceededFuture(false)
        }
        let memory: EventLoopFuture<Memory> = socket.unsafeGetSocketOption(level: .socket, name: option)
        return memory.map { $0[0] > 0 }.recover { _ in false }
    }
}

/// Turns NIO's connection errors into the closed set of ``HandshakeFailure``.
enum ConnectFailure {
    static func timeout(_ place: String) -> HandshakeFailure {
        HandshakeFailure(.connectTimeout, "no connection to \(place) before the deadline")
    }

    /// - Parameter place: what was dialled, for messages.
    static func of(_ error: any Error, endpoint: Endpoint, dialled place: String) -> HandshakeFailure {
        switch error {
        case let error as NIOConnectionError:
            if error.connectionErrors.isEmpty {
                return ofLookup([error.dnsAError, error.dnsAAAAError].compactMap { $0 }, endpoint: endpoint)
            }
            // Every address was tried; the last error is as good as the first, and one is enough for a message.
            return of(error.connectionErrors[0].error, endpoint: endpoint, dialled: place)
        case ChannelError.connectTimeout:
            return timeout(place)
        case let error as LookupFailure:
            return ofLookup([error], endpoint: endpoint)
        case let error as IOError:
            return of(errno: error.errnoCode, dialled: place)
        default:
            return HandshakeFailure(.networkUnreachable, "could not connect to \(place): \(error)")
        }
    }

    /// Only getaddrinfo's code for a name without addresses is about the name (RFC 3493 section 6.1).
    private static func ofLookup(_ errors: [any Error], endpoint: Endpoint) -> HandshakeFailure {
        let failed = errors.first { ($0 as? LookupFailure)?.isAboutName != true }
        guard let failed else {
            let known = errors.first as? LookupFailure
            return (known ?? LookupFailure(code: EAI_NONAME)).handshakeFailure(dialling: endpoint)
        }
        if let failed = failed as? LookupFailure { return failed.handshakeFailure(dialling: endpoint) }
        return HandshakeFailure(
            .nameLookupFailed, "the address of \(endpoint.host) could not be looked up", nativeCode: "\(failed)")
    }

    static func of(errno code: CInt, dialled place: String) -> HandshakeFailure {
        switch code {
        case ECONNREFUSED:
            HandshakeFailure(.connectionRefused, "nothing listens on \(place)", nativeCode: "ECONNREFUSED")
        case ETIMEDOUT:
            timeout(place)
        case ECONNRESET:
            HandshakeFailure(.connectionReset, "\(place) reset the connection", nativeCode: "ECONNRESET")
        case EMFILE, ENFILE, ENOBUFS, ENOMEM:
            // It says nothing about the server.
            HandshakeFailure(
                .localOverload,
                "no connection to \(place) could be begun here: \(unsafe String(cString: strerror(code)))",
                nativeCode: "errno \(code)")
        default:
            HandshakeFailure(
                .networkUnreachable, "could not connect to \(place): \(unsafe String(cString: strerror(code)))",
                nativeCode: "errno \(code)")
        }
    }
}
