import NIOCore
import NIOHTTP1
import ProbeKit
import ProbePlatform

/// Answers queries over HTTP with a zone's behaviours (RFC 8484), one after the other.
final class LabHTTPHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let zone: LabDNSZone
    private let journal: LabDNSJournal
    private var head: HTTPRequestHead?
    private var body: [UInt8] = []

    static let path = "/dns-query"

    init(_ zone: LabDNSZone, _ journal: LabDNSJournal) {
        self.zone = zone
        self.journal = journal
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            self.head = head
            body = []
        case .body(let bytes):
            if body.count + bytes.readableBytes <= 65_535 { body += bytes.readableBytesView }
        case .end:
            guard let head else { return }
            answer(head, from: UInt16(truncatingIfNeeded: context.remoteAddress?.port ?? 0), on: context.channel)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answer(_ head: HTTPRequestHead, from port: UInt16, on channel: any Channel) {
        guard let bytes = message(of: head), let query = LabDNSQuery(bytes, over: .https, from: port) else {
            return send([], LabHTTPResponse().with { $0.status = 400 }, .plain, on: channel)
        }
        let isFirst = journal.note(query)
        let behaviour = zone.behaviour(for: query.name)
        perform(behaviour.actions(for: query, isFirst: isFirst)[...], behaviour, for: query, on: channel)
    }

    /// Returns the query of a request; nil if there is none.
    private func message(of head: HTTPRequestHead) -> [UInt8]? {
        switch head.method {
        case .POST:
            guard head.uri == Self.path, head.headers["content-type"] == ["application/dns-message"] else { return nil }
            return body
        case .GET:
            let prefix = Self.path + "?dns="
            guard head.uri.hasPrefix(prefix) else { return nil }
            let text = head.uri.dropFirst(prefix.count).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
            let padding = String(repeating: "=", count: (4 - text.count % 4) % 4)
            return Data(base64Encoded: String(text) + padding).map(Array.init)
        default: return nil
        }
    }

    /// Sends one response: further messages, as over UDP, are left out.
    private func perform(
        _ actions: ArraySlice<LabDNSBehaviour.Action>, _ behaviour: LabDNSBehaviour, for query: LabDNSQuery,
        on channel: any Channel
    ) {
        switch actions.first {
        case nil: return
        case .wait(let duration):
            channel.eventLoop.assumeIsolated().scheduleTask(in: TimeAmount(duration)) {
                self.perform(actions.dropFirst(), behaviour, for: query, on: channel)
            }
        case .await(let signal):
            let loop = channel.eventLoop
            let rest = NIOLoopBound(self, eventLoop: loop)
            signal.whenGiven {
                loop.execute { rest.value.perform(actions.dropFirst(), behaviour, for: query, on: channel) }
            }
        case .give(let signal):
            signal.give()
            perform(actions.dropFirst(), behaviour, for: query, on: channel)
        case .reply(let message), .replyFromElsewhere(let message):
            send(message.wireBytes(to: query), behaviour.response, behaviour.stream, on: channel)
        case .send(let bytes): send(bytes, behaviour.response, behaviour.stream, on: channel)
        }
    }

    private func send(
        _ reply: [UInt8], _ response: LabHTTPResponse, _ stream: LabDNSBehaviour.Stream, on channel: any Channel
    ) {
        let body = response.body ?? reply
        switch stream {
        case .plain:
            write(response, length: body.count, on: channel)
            write(body[...], on: channel)
            if response.isBare { channel.close(promise: nil) }
        case .dribbled(let pause):
            write(response, length: body.count, on: channel)
            dribble(body[...], TimeAmount(pause), on: channel)
        case .half:
            write(response, length: body.count, on: channel)
            writeAndClose(body.prefix(body.count / 2), on: channel)
        case .claimedLength(let length):
            write(response, length: Int(length), on: channel)
            writeAndClose(body[...], on: channel)
        case .closed: channel.close(promise: nil)
        case .silent: break
        }
    }

    private func write(_ response: LabHTTPResponse, length: Int, on channel: any Channel) {
        guard !response.isBare else { return }
        var headers = HTTPHeaders(response.fields.map { ($0.name, $0.value) })
        if let type = response.contentType { headers.add(name: "content-type", value: type) }
        headers.add(name: "content-length", value: "\(length)")
        let head = HTTPResponseHead(
            version: .http1_1, status: HTTPResponseStatus(statusCode: Int(response.status)), headers: headers)
        channel.writeAndFlush(HTTPServerResponsePart.head(head), promise: nil)
    }

    private func write(_ bytes: ArraySlice<UInt8>, on channel: any Channel) {
        channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes))), promise: nil)
    }

    private func writeAndClose(_ bytes: ArraySlice<UInt8>, on channel: any Channel) {
        channel.writeAndFlush(HTTPServerResponsePart.body(.byteBuffer(ByteBuffer(bytes: bytes)))).whenComplete { _ in
            channel.close(promise: nil)
        }
    }

    private func dribble(_ bytes: ArraySlice<UInt8>, _ pause: TimeAmount, on channel: any Channel) {
        guard !bytes.isEmpty, channel.isActive else { return }
        write(bytes.prefix(1), on: channel)
        channel.eventLoop.assumeIsolated().scheduleTask(in: pause) {
            self.dribble(bytes.dropFirst(), pause, on: channel)
        }
    }
}
