package import NIOCore
import NIOHTTP1
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
    /// - Parameter received: the peer's bytes inside TLS so far.
    init(_ channel: any Channel, _ engine: any HandshakeEngine, received: [UInt8] = [], until end: Deadline) throws {
        self.channel = channel
        records = RecordHandler(engine, received: received)
        ending = channel.eventLoop.makePromise()
        do {
            // The peer's bytes wait in the kernel meanwhile, which bounds them.
            try channel.syncOptions?.setOption(.autoRead, value: false)
            try channel.pipeline.syncOperations.addHandler(records)
        } catch {
            ending.succeed(ExchangeEnding(http: HTTPReport(.unavailable(reason: BrokenConnection(error).reason))))
            throw error
        }
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        deadline = channel.eventLoop.scheduleTask(in: TimeAmount(end.remaining)) { bound.value.deadlinePassed() }
    }

    /// Closes without a request.
    func close() { finish(.unavailable(reason: "the request was not approved")) }

    /// Sends the request and returns a future of its result, by the deadline; then the connection is closed.
    func head(_ exchange: HTTPExchange, alpn: String?) -> EventLoopFuture<ExchangeEnding> {
        guard !isFinished else { return ending.futureResult }
        guard channel.isActive else {
            records.readRest()
            return end("the peer closed the connection before the request")
        }
        if let obstacle = exchange.obstacle(alpn: alpn) { return end(obstacle) }
        // In HTTP/1.1 the server does not speak first, and what it sent is not an answer (RFC 8446 section 2).
        if alpn != "h2", records.hasReceived { return end("the server sent data before the request") }
        let bound = NIOLoopBound(self, eventLoop: channel.eventLoop)
        records.onEnd = { bound.value.finish(.unavailable(reason: $0)) }
        asked = .now()
        do {
            if alpn == "h2" { try sendHTTP2(exchange, bound) } else { try sendHTTP1(exchange, bound) }
            records.begin()
            try channel.syncOptions?.setOption(.autoRead, value: true)
        } catch {
            finish(.unavailable(reason: "the request could not be sent: \(BrokenConnection(error).reason)"))
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
        finish(.unavailable(reason: reason))
        return ending.futureResult
    }

    private func deadlinePassed() {
        finish(.unavailable(reason: asked == nil ? HTTPExchange.lateness : "no response before the deadline"))
    }

    // MARK: The two protocols

    private func sendHTTP1(_ exchange: HTTPExchange, _ bound: NIOLoopBound<OpenConnection>) throws {
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HeadLinesReader { bound.value.finish($0) })
        try pipeline.addHandler(EndReader { bound.value.finish(.unavailable(reason: $0)) })
        let request = """
            HEAD \(exchange.path) HTTP/1.1\r\nHost: \(exchange.authority)\r\nUser-Agent: \(HTTPExchange.userAgent)\r\n\r\n
            """
        channel.writeAndFlush(ByteBuffer(string: request)).whenFailure { bound.value.failed($0) }
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
        try pipeline.addHandler(EndReader { bound.value.finish(.unavailable(reason: $0)) })
        let opened = channel.eventLoop.makePromise(of: (any Channel).self)
        multiplexer.createStreamChannel(promise: opened) { stream in
            stream.eventLoop.makeCompletedFuture {
                let pipeline = stream.pipeline.syncOperations
                try pipeline.addHandler(HTTP2FramePayloadToHTTP1ClientCodec(httpProtocol: .https))
                try pipeline.addHandler(HeadReader { bound.value.finish($0) })
                try pipeline.addHandler(EndReader { bound.value.finish(.unavailable(reason: $0)) })
            }
        }
        opened.futureResult.whenComplete { result in
            switch result {
            case .success(let stream): bound.value.send(exchange, over: stream)
            case .failure(let error):
                bound.value.finish(.unavailable(reason: "there is no HTTP/2 stream: \(BrokenConnection(error).reason)"))
            }
        }
    }

    private func send(_ exchange: HTTPExchange, over stream: any Channel) {
        let fields: HTTPHeaders = ["Host": exchange.authority, "User-Agent": HTTPExchange.userAgent]
        let head = HTTPRequestHead(version: .http1_1, method: .HEAD, uri: exchange.path, headers: fields)
        let bound = NIOLoopBound(self, eventLoop: stream.eventLoop)
        stream.write(HTTPClientRequestPart.head(head), promise: nil)
        stream.writeAndFlush(HTTPClientRequestPart.end(nil)).whenFailure { bound.value.failed($0) }
    }

    private func failed(_ error: any Error) {
        finish(.unavailable(reason: "the request could not be sent: \(BrokenConnection(error).reason)"))
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
        case is any NIOHTTP2Error: "the server's reply is not HTTP/2 (\(type(of: error)))"
        default: String(BrokenConnection(error).reason.prefix(200))
        }
    }
}

/// Waits for the head of the final response in HTTP/1.1.
package final class HeadLinesReader: ChannelInboundHandler {
    package typealias InboundIn = ByteBuffer

    private var head = ResponseHead()
    private let finish: (HTTPReport.Answer) -> Void

    package init(finish: @escaping (HTTPReport.Answer) -> Void) {
        self.finish = finish
    }

    package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        head.take(unwrapInboundIn(data).readableBytesView)
        if let answer = head.answer { finish(answer) }
    }
}

/// Waits for the head of the final response in HTTP/2.
final class HeadReader: ChannelInboundHandler {
    typealias InboundIn = HTTPClientResponsePart

    private let finish: (HTTPReport.Answer) -> Void

    init(finish: @escaping (HTTPReport.Answer) -> Void) {
        self.finish = finish
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        guard case .head(let head) = unwrapInboundIn(data) else { return }
        if let fault = Self.fault(in: head.headers) {
            return finish(.unavailable(reason: "there is no response: the server's reply is not HTTP/2 (\(fault))"))
        }
        let answer = ResponseHead.answer(Int(head.status.code), version: "h2") { head.headers[$0] }
        if let answer { finish(answer) }
    }

    /// Returns what makes a head malformed (RFC 9113 sections 8.1.1, 8.2.1 and 8.2.2) and NIO accepts, where nghttp2 does not.
    private static func fault(in fields: HTTPHeaders) -> String? {
        let lengths = fields["content-length"]
        if lengths.count > 1 || lengths.contains(where: { Int64($0) == nil || $0.utf8.contains { $0 < 0x30 } }) {
            return "a length that is not a number"
        }
        if fields["te"].contains(where: { $0.lowercased() != "trailers" }) { return "a field for one connection" }
        let hasControls = fields.contains { field in
            field.value.utf8.contains { $0 < 0x20 && $0 != UInt8(ascii: "\t") || $0 == 0x7f }
        }
        return hasControls ? "a control character in a value" : nil
    }
}
