package import NIOCore
import NIOHTTP1
import NIOHTTP2

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
