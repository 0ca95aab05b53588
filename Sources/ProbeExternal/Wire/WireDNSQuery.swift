package import ProbeKit
import ProbePlatform

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

    /// - Throws: ``WireError`` if it does not make sense, or names a server that the query does not.
    func report(of query: DNSQuery) throws -> DNSReport {
        // The number of attempts is checked before each of them is read.
        let report = try self.report()
        let https = query.httpsServers.flatMap { server in
            let url = WireDNSQuery.HTTPSServer(server).url
            // As URLs are usually written: without the port that goes without saying, and without a template's variable.
            return [server.description, url, String(server.description.prefix { $0 != "{" })]
        }
        let places = query.servers + query.httpsServers.compactMap(\.connect)
        for attempt in attempts where !https.contains(attempt.server) {
            let named = try? Endpoint(attempt.server, defaultPort: 53, allowsZone: true)
            guard let named, places.contains(where: { $0.isAlso(named) }) else {
                throw WireError("an attempt is with '\(WireText.name(attempt.server))', which was not to be asked")
            }
        }
        return report
    }

    /// - Throws: ``WireError`` if it does not make sense.
    package func report() throws -> DNSReport {
        guard !attempts.isEmpty, attempts.count <= ProgramLimits.attempts else {
            throw WireError("there are \(attempts.count) attempts")
        }
        return DNSReport(attempts: try attempts.map { try $0.attempt() })
    }
}

extension Endpoint {
    /// True if both are one place, however its address is written.
    fileprivate func isAlso(_ other: Endpoint) -> Bool {
        func plain(_ host: ServerName) -> ServerName {
            if case .ip(let address) = host { .ip(address.mapped ?? address) } else { host }
        }
        let zones = [zone, other.zone].compactMap(\.self)
        return plain(host) == plain(other.host) && port == other.port && (zones.count < 2 || zones[0] == zones[1])
    }
}

/// One exchange with a DNS server.
struct WireDNSAttempt: Decodable {
    struct Native: Decodable {
        let rcode: Int?
        let records: [[Data]]?
        let unreadable: String?
        let notAsked: String?
    }

    struct Validation: Decodable {
        let state: String
        let reason: String?
    }

    struct Failure: Decodable {
        /// The codes that the protocol has words for (PROTOCOL.md, dns-query).
        static let spoken: Set<DNSFailure.Code> = [
            .timeout, .refused, .unreachable, .closed, .framing, .tls, .http, .httpStatus, .httpContent, .gaveUp,
            .badQuery, .localOverload, .backendError,
        ]

        let code: DNSFailure.Code
        let message: String

        /// - Throws: ``WireError`` for a code that is not the protocol's.
        func dnsFailure() throws -> DNSFailure {
            guard Self.spoken.contains(code) else {
                throw WireError("failure.code is '\(code.rawValue)', which is not a code of the protocol")
            }
            return DNSFailure(code, WireText.sentence(message, or: code.rawValue))
        }
    }

    let server: String
    let channel: DNSAttempt.Channel
    let ednsSize: Int?
    let queryID: Int
    let reply: Data?
    let dropped: [String]?
    let native: Native?
    let dnssec: Validation?
    let failure: Failure?
    let duration: Double

    /// - Throws: ``WireError`` if a member does not make sense.
    func attempt() throws -> DNSAttempt {
        guard (reply == nil) != (failure == nil) else {
            throw WireError("an attempt has neither or both of reply and failure")
        }
        guard (reply == nil) == (native == nil) else { throw WireError("a reply comes with its native reading") }
        guard reply.map({ $0.count <= 65_535 }) ?? true else { throw WireError("a reply is larger than DNS has") }
        return DNSAttempt(
            server: WireText.value(server), channel: channel,
            ednsSize: try ednsSize.map { try .wire($0, "ednsSize") }, id: try .wire(queryID, "queryID"),
            reply: reply.map { Array($0) },
            dropped: (dropped ?? []).prefix(ProgramLimits.entries).map { WireText.sentence($0) },
            native: try native.map(Self.reading), dnssec: try dnssec.map(Self.state),
            failure: try failure?.dnsFailure(),
            duration: try .wire(duration, "duration"))
    }

    private static func reading(_ native: Native) throws -> NativeDNSReading {
        switch (native.rcode, native.records, native.unreadable, native.notAsked) {
        case (let rcode?, let records?, nil, nil):
            .parsed(
                rcode: DNSAttempt.ResponseCode(rawValue: try .wire(rcode, "native.rcode")),
                records: records.map { $0.map { Array($0) } })
        case (nil, nil, let reason?, nil): .unreadable(WireText.sentence(reason))
        case (nil, nil, nil, let reason?): .notAsked(WireText.sentence(reason))
        default: throw WireError("native is not one of a reading, unreadable and notAsked")
        }
    }

    private static func state(_ validation: Validation) throws -> DNSSECState {
        switch validation.state {
        case "secure": .secure
        case "insecure": .insecure
        case "bogus": .bogus(WireText.sentence(validation.reason ?? ""))
        default: throw WireError("'\(WireText.name(validation.state))' is not a state of validation")
        }
    }
}
