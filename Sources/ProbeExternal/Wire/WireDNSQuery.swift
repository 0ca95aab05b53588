import FoundationEssentials
package import ProbeKit

/// A request to ask for a name's TXT records.
struct WireDNSQuery: Encodable, Sendable {
    struct HTTPSServer: Encodable, Sendable {
        let url: String
        let method: DoHServer.Method
        @Always var connect: WireEndpoint?
        let anchors: WireAnchors

        init(_ server: DoHServer) {
            let authority = Endpoint(host: server.name, port: server.port).description
            url = "https://\(authority)\(server.path)"
            method = server.method
            _connect = Always(wrappedValue: server.connect.map(WireEndpoint.init))
            anchors = WireAnchors(server.anchors)
        }
    }

    let name: String
    let wireName: Data
    let servers: [WireEndpoint]
    let httpsServers: [HTTPSServer]
    @Always var ednsSize: UInt16?
    let tries: Int
    let dnssec: DNSSECPolicy
    let anchors: [String]
    @Always var instant: String?

    init(_ query: DNSQuery) {
        name = query.name.description
        wireName = Data(query.name.wireBytes)
        servers = query.servers.map(WireEndpoint.init)
        httpsServers = query.httpsServers.map(HTTPSServer.init)
        _ednsSize = Always(wrappedValue: query.ednsSize)
        tries = query.tries
        dnssec = query.dnssec
        anchors = query.anchors.map(\.description)
        _instant = Always(wrappedValue: query.instant.map(RFC3339.format))
    }
}

/// The reply to it.
package struct WireDNSReply: Decodable {
    let attempts: [WireDNSAttempt]

    /// - Throws: ``WireError`` if it does not make sense.
    package func report() throws -> DNSReport {
        guard !attempts.isEmpty, attempts.count <= 200 else { throw WireError("there are \(attempts.count) attempts") }
        return DNSReport(attempts: try attempts.map { try $0.attempt() })
    }
}
