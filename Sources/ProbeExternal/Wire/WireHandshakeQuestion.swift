import ProbeKit
import ProbePlatform

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
    /// Omitted if there is none: a program that can't make offers is not asked.
    let offer: WireOffer?
    let anchors: WireAnchors
    let instant: String
    @Always var http: HTTP?

    init(_ request: HandshakeRequest) {
        host = request.endpoint.host.description
        port = request.endpoint.port
        name = request.serverName.wireText
        versions = [request.versions.lowerBound.number, request.versions.upperBound.number]
        alpn = request.alpn
        offer = request.offer.map(WireOffer.init)
        anchors = WireAnchors(request.anchors)
        instant = RFC3339.format(request.instant)
        _http = Always(wrappedValue: request.exchange.map { HTTP(authority: $0.authority, path: $0.path) })
    }
}

/// The lists of an offer; those that it leaves to the library are omitted. Versions and application protocols are the
/// question's own.
struct WireOffer: Encodable, Sendable {
    let cipherSuites: [String]?
    let groups: [String]?
    let signatureAlgorithms: [String]?

    init(_ offer: ClientOffer) {
        cipherSuites = offer.cipherSuites
        groups = offer.groups
        signatureAlgorithms = offer.signatureAlgorithms
    }
}
