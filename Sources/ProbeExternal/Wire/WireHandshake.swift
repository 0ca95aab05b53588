import FoundationEssentials
import ProbeKit

/// A request to do one handshake.
struct WireHandshakeQuestion: Encodable, Sendable {
    struct HTTP: Encodable, Sendable {
        let authority: String
        let path: String
    }

    let host: String
    let port: UInt16
    let name: String
    /// The oldest and the newest version.
    let versions: [String]
    let alpn: [String]
    let anchors: WireAnchors
    let instant: String
    @Always var http: HTTP?

    init(_ request: HandshakeRequest) {
        host = request.endpoint.host.description
        port = request.endpoint.port
        name = request.serverName.wireText
        versions = [request.versions.lowerBound.number, request.versions.upperBound.number]
        alpn = request.alpn
        anchors = WireAnchors(request.anchors)
        instant = RFC3339.format(request.instant)
        _http = Always(wrappedValue: request.exchange.map { HTTP(authority: $0.authority, path: $0.path) })
    }
}

/// The reply to it, and the body of an approval's question.
package struct WireHandshakeReply: Decodable {
    package let report: WireHandshakeReport
}
