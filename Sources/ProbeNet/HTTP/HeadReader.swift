package import NIOCore
package import NIOHTTP1
package import ProbeKit

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
