import NIOCore

/// Waits at the end of a pipeline for whatever makes a response impossible; what is still read there is of no use.
final class EndReader: ChannelInboundHandler {
    typealias InboundIn = Any

    private let end: (String) -> Void

    init(end: @escaping (String) -> Void) {
        self.end = end
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {}

    func channelInactive(context: ChannelHandlerContext) {
        end("the peer closed the connection without a response")
    }

    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        end("there is no response: \(String("\(error)".prefix(200)))")
    }
}
