package import NIOCore
package import NIOHTTP1
import NIOHTTP2
package import ProbeKit

/// A connection whose handshake is complete and which may be used for one request; nothing is read or sent before.
///
/// Everything here runs on the event loop of its channel. The owner has to call ``close()`` or ``head(_:alpn:)``.
final class OpenConnection {
    private let channel: any Channel
    private let records: RecordHandler
    private let ending: EventLoopPromise<ExchangeEnding>
    private var deadline: Scheduled<Void>?
    private var asked: NIODeadline?
    private var isFinished = false

    /// Takes over a channel, which it closes at the deadline whatever happens.
    ///
    /// - Parameter heard: the peer's bytes inside TLS so far.
    init(_ channel: any Channel, _ engine: any HandshakeEngine, heard: [UInt8] = [], until end: Deadline) throws {
        self.channel = channel
        records = RecordHandler(engine, heard: heard)
        ending = channel.eventLoop.makePromise()
        do {
            // The peer's bytes wait in the kernel meanwhile, which bounds them.
            try channel.syncOptions?.setOption(.autoRead, value: false)
            try channel.pipeline.syncOperations.addHandler(records)
        } catch {
            ending.succeed(ExchangeEnding(http: HTTPReport(.none("\(error)"))))
            throw error
        }
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        deadline = channel.eventLoop.scheduleTask(in: TimeAmount(end.remaining)) { bound.value.deadlinePassed() }
    }

    /// Closes without a word.
    func close() { finish(.none("the request was not approved")) }

    /// Sends the request and returns a future of its result, by the deadline; then the connection is closed.
    func head(_ exchange: HTTPExchange, alpn: String?) -> EventLoopFuture<ExchangeEnding> {
        guard !isFinished else { return ending.futureResult }
        guard channel.isActive else { return end("the peer closed the connection before the request") }
        if let obstacle = exchange.obstacle(alpn: alpn) { return end(obstacle) }
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        records.onEnd = { bound.value.finish(.none($0)) }
        asked = .now()
        do {
            if alpn == "h2" {
                try sendHTTP2(exchange, bound)
            } else {
                try addReader(to: channel, version: "http/1.1", bound)
                send(exchange, over: channel)
            }
            records.begin()
            try channel.syncOptions?.setOption(.autoRead, value: true)
        } catch {
            finish(.none("the request could not be sent: \(error)"))
        }
        return ending.futureResult
    }

    /// Ends the exchange, and the connection; only the first call counts.
    func finish(_ outcome: HTTPReport.Answer) {
        guard !isFinished else { return }
        isFinished = true
        deadline?.cancel()
        records.onEnd = nil
        let duration = asked.map { Duration.nanoseconds((NIODeadline.now() - $0).nanoseconds) }
        let hasResponse = if case .response = outcome { true } else { false }
        ending.succeed(
            ExchangeEnding(
                http: HTTPReport(outcome, duration: hasResponse ? duration : nil),
                certificateRequest: records.lateCertificateRequest, end: records.end))
        channel.close(promise: nil)
    }

    private func end(_ reason: String) -> EventLoopFuture<ExchangeEnding> {
        finish(.none(reason))
        return ending.futureResult
    }

    private func deadlinePassed() {
        finish(.none(asked == nil ? HTTPExchange.lateness : "no response before the deadline"))
    }

    // MARK: The two protocols

    /// Adds HTTP/1.1's codecs to the connection itself, or those of HTTP/2 to a stream, with the reader behind them.
    private func addReader(
        to channel: any Channel, version: String, _ bound: NIOLoopBound<OpenConnection>
    ) throws {
        let pipeline = channel.pipeline.syncOperations
        if version == "h2" {
            try pipeline.addHandler(HTTP2FramePayloadToHTTP1ClientCodec(httpProtocol: .https))
        } else {
            try pipeline.addHTTPClientHandlers()
        }
        try pipeline.addHandler(HeadReader(version: version) { bound.value.finish($0) })
        try pipeline.addHandler(EndReader { bound.value.finish(.none($0)) })
    }

    private func sendHTTP2(_ exchange: HTTPExchange, _ bound: NIOLoopBound<OpenConnection>) throws {
        var connection = NIOHTTP2Handler.ConnectionConfiguration()
        connection.initialSettings = [
            HTTP2Setting(parameter: .enablePush, value: 0), HTTP2Setting(parameter: .maxConcurrentStreams, value: 0),
            HTTP2Setting(parameter: .maxHeaderListSize, value: 64 * 1024),
        ]
        let pipeline = channel.pipeline.syncOperations
        let multiplexer = try pipeline.configureHTTP2Pipeline(
            mode: .client, connectionConfiguration: connection, streamConfiguration: .init()
        ) { stream in
            // A push was not asked for.
            stream.close()
        }
        try pipeline.addHandler(EndReader { bound.value.finish(.none($0)) })
        let opened = channel.eventLoop.makePromise(of: (any Channel).self)
        multiplexer.createStreamChannel(promise: opened) { stream in
            stream.eventLoop.makeCompletedFuture { try bound.value.addReader(to: stream, version: "h2", bound) }
        }
        opened.futureResult.whenComplete { result in
            switch result {
            case .success(let stream): bound.value.send(exchange, over: stream)
            case .failure(let error): bound.value.finish(.none("there is no HTTP/2 stream: \(error)"))
            }
        }
    }

    private func send(_ exchange: HTTPExchange, over channel: any Channel) {
        let fields: HTTPHeaders = ["Host": exchange.authority, "User-Agent": HTTPExchange.userAgent]
        let head = HTTPRequestHead(version: .http1_1, method: .HEAD, uri: exchange.path, headers: fields)
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        channel.write(HTTPClientRequestPart.head(head), promise: nil)
        channel.writeAndFlush(HTTPClientRequestPart.end(nil)).whenFailure { error in
            bound.value.finish(.none("the request could not be sent: \(error)"))
        }
    }
}

/// Waits at the end of a pipeline for events that make a response impossible; data arriving there is dropped.
package final class EndReader: ChannelInboundHandler {
    package typealias InboundIn = Any

    private let end: (String) -> Void

    package init(end: @escaping (String) -> Void) {
        self.end = end
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    package func channelInactive(context: ChannelHandlerContext) {
        end("the peer closed the connection without a response")
    }

    package func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end("there is no response: \(Self.describe(error))")
    }

    /// Returns a message without the source locations in the libraries' errors.
    private static func describe(_ error: any Error) -> String {
        switch error {
        case let error as NIOHTTP2Errors.StreamClosed:
            "the stream was closed with the HTTP/2 error \(error.errorCode.networkCode)"
        case is HTTPParserError: "what the server says is not HTTP/1.1 (\(error))"
        case is any NIOHTTP2Error: "what the server says is not HTTP/2 (\(type(of: error)))"
        default: String("\(error)".prefix(200))
        }
    }
}

/// Waits for the head of the final response.
package final class HeadReader: ChannelInboundHandler {
    package typealias InboundIn = HTTPClientResponsePart

    private let version: String
    private let finish: (HTTPReport.Answer) -> Void

    package init(version: String, finish: @escaping (HTTPReport.Answer) -> Void) {
        self.version = version
        self.finish = finish
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        let status = Int(head.status.code)
        // Interim responses come first, as many as the server likes (RFC 9110 section 15.2).
        if (100..<200).contains(status), status != 101 { return }
        guard (200..<600).contains(status) else {
            return finish(.none("the server answers with the HTTP status \(status), which answers no HEAD"))
        }
        finish(
            .response(
                HTTPReport.Response(
                    version: version, status: status, date: head.headers["date"], age: head.headers["age"],
                    retryAfter: head.headers["retry-after"])))
    }
}
