import NIOCore
import NIOHTTP1

/// Answers HTTP with a ``LabHTTPRecipe``, on a connection of HTTP/1.1 or a stream of HTTP/2, and records the requests.
final class LabWebHandler: ChannelInboundHandler {
    typealias InboundIn = HTTPServerRequestPart
    typealias OutboundOut = HTTPServerResponsePart

    private let recipe: LabHTTPRecipe
    private let fields: HTTPHeaders
    private let connections: LabConnections

    init(_ recipe: LabHTTPRecipe, fields: [(name: String, value: String)], _ connections: LabConnections) {
        self.recipe = recipe
        self.fields = HTTPHeaders(fields.map { ($0.name, $0.value) } + [("content-length", "0")])
        self.connections = connections
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch unwrapInboundIn(data) {
        case .head(let head):
            connections.note(
                LabHTTPRequest(
                    method: head.method.rawValue, path: head.uri,
                    fields: head.headers.map { LabHTTPRequest.Field($0.name.lowercased(), $0.value) }))
        case .body: break
        case .end: answer(context)
        }
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        context.close(promise: nil)
    }

    private func answer(_ context: ChannelHandlerContext) {
        for _ in 0..<recipe.interim { write(.custom(code: 103, reasonPhrase: "Early Hints"), HTTPHeaders(), context) }
        write(HTTPResponseStatus(statusCode: recipe.status), fields, context)
        context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    }

    private func write(_ status: HTTPResponseStatus, _ fields: HTTPHeaders, _ context: ChannelHandlerContext) {
        let head = HTTPResponseHead(version: .http1_1, status: status, headers: fields)
        context.write(wrapOutboundOut(.head(head)), promise: nil)
    }
}
