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
        let ending =
            if let refusal = refusal(request, makeEngine) {
                refusal
            } else {
                await connect(request, over: network, opensOnly: false, makeEngine: makeEngine)
            }
        return ending.connection == nil ? await judged(ending) : await exchanged(ending, request)
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
        if let refusal = ProxyDialogues.refusal(request) {
            return (HandshakeReport(failure: refusal), nil)
        }
        let ending = await connect(request, over: network, opensOnly: true, makeEngine: makeEngine)
        return (ending.report, ending.socket)
    }

    // Not inlined, like all that follows with this mark: what comes before and after the wait is in functions of its own, so that a
    // waiting handshake, of which a scan has thousands, has the variables of the wait alone.

    /// Returns the ending of a handshake that can't be made as it was asked for; nil if it can.
    @inline(never) private static func refusal(_ request: HandshakeRequest, _ makeEngine: EngineMaker)
        -> HandshakeEnding?
    {
        let refusal =
            ProxyDialogues.refusal(request)
            ?? OfferCheck.refusal(request, makeEngine: { () throws(HandshakeFailure) in try makeEngine(request) })
        return refusal.map { HandshakeEnding(failure: $0) }
    }

    /// Returns the facts with the stack's decision and, if they are approved, the exchange over the connection.
    @inline(never) private static func exchanged(
        _ ending: HandshakeEnding, _ request: HandshakeRequest
    ) async -> HandshakeReport {
        var report = await judged(ending)
        guard let connection = ending.connection, let exchange = request.exchange else { return report }
        guard await exchange.isApproved(report) else {
            connection.eventLoop.execute { connection.value.close() }
            return report
        }
        await head(exchange, alpn: report.alpn, over: connection).fill(&report)
        return report
    }

    /// Makes the approved request.
    private static func head(
        _ exchange: HTTPExchange, alpn: String?, over connection: NIOLoopBound<OpenConnection>
    ) async -> ExchangeEnding {
        await withTaskCancellationHandler {
            do {
                return try await connection.eventLoop.flatSubmit { connection.value.head(exchange, alpn: alpn) }.get()
            } catch {
                return ExchangeEnding(http: HTTPReport(.unavailable(reason: "the event loop refused: \(error)")))
            }
        } onCancel: {
            connection.eventLoop.execute {
                connection.value.finish(.unavailable(reason: HandshakeFailure.cancelled.message))
            }
        }
    }

    /// Verifying signatures takes longer for larger keys, so it runs neither on the event loop nor on the caller's
    /// actor.
    @concurrent private static func judged(_ ending: HandshakeEnding) async -> HandshakeReport { judge(ending) }

    @inline(never) private static func judge(_ ending: HandshakeEnding) -> HandshakeReport {
        var report = ending.report
        guard let decide = ending.decision else { return report }
        var reading: TrustReading?
        report.timings.trust = ContinuousClock().measure { reading = decide() }
        report.nativeTrust = reading
        return report
    }

    @inline(never) private static func connect(
        _ request: HandshakeRequest, over network: ProbeNetwork, opensOnly: Bool, makeEngine: @escaping EngineMaker
    ) async -> HandshakeEnding {
        let (loop, patience) = (network.group.next(), HandshakeLimits.refusalPatience)
        let phase = NIOLoopBoundBox.makeEmptyBox(valueType: Phase.self, eventLoop: loop)
        return await withTaskCancellationHandler {
            do {
                return try await loop.flatSubmit {
                    if case .cancelled = phase.value {
                        return loop.makeSucceededFuture(HandshakeEnding(failure: .cancelled))
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
                    handler.finish(.cancelled)
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
}

extension TimeAmount {
    /// Converts a duration of the standard library into NIO's nanoseconds.
    init(_ duration: Duration) {
        self = .nanoseconds(Int64(duration.nanoseconds))
    }
}
