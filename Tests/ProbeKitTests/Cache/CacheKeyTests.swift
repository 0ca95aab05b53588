import Foundation
import ProbeLab
import Testing

@testable import ProbeKit
@testable import ProbePins
@testable import ProbeRun

/// Anything a verdict depends on makes another key.
@Suite("what a success is remembered of") struct CacheKeyTests {
    private static let stack = BackendIdentity(name: "a", library: "A", version: "1")
    private static let now = WatchBench.pki.epoch

    @Test("[R24] fields never run together") func fieldsAreApart() {
        let keys = [[["ab"]], [["a", "b"]], [["a"], ["b"]], [["ab"], []], [[], ["ab"]], [["", "ab"]]].map {
            CacheKey(kind: .model, $0)
        }
        #expect(Set(keys).count == keys.count)
        #expect(CacheKey(kind: .pins, [["ab"]]).digest != CacheKey(kind: .model, [["ab"]]).digest)
    }

    @Test("other model, names, order, servers, policy, reading or stack") func modelKeys() throws {
        func key(
            _ model: String = "dc", _ hosts: [String] = ["a.test", "b.test"], _ port: UInt16 = 53,
            dnssec: DNSSECPolicy = .off, strings: TXTStrings = .joined, anchors: [DNSAnchor] = [],
            ednsSize: UInt16? = 1232, tries: Int = 2, stack: BackendIdentity = Self.stack
        ) throws -> CacheKey? {
            let check = ModelCheck(
                model: try ModelName(model), hosts: try hosts.map { try DNSName($0) },
                servers: [Endpoint(host: .ip(.loopback4), port: port)], ednsSize: ednsSize, tries: tries,
                dnssec: dnssec, anchors: anchors, strings: strings)
            return CacheKey(check, through: stack)
        }
        let anchor = try DNSAnchor("test. IN DS 1 13 2 " + String(repeating: "0F", count: 32))
        let different = [
            try key(), try key("dc2"), try key("dc", ["a.test"]), try key("dc", ["b.test", "a.test"]),
            try key("dc", ["a.test", "b.test"], 54), try key(dnssec: .require), try key(strings: .separate),
            try key(dnssec: .require, anchors: [anchor]), try key(ednsSize: nil),
            try key(stack: BackendIdentity(name: "b", library: "A", version: "1")),
            try key(stack: BackendIdentity(name: "a", library: "A", version: "2")),
        ]
        #expect(Set(different.compactMap(\.self)).count == different.count)
        // Equal checks have equal keys; the number of tries does not matter.
        #expect(try key("DC", ["A.TEST.", "b.test"], tries: 5) == key())
        let list = ModelCheck(model: nil, hosts: [try DNSName("a.test")], servers: [])
        #expect(CacheKey(list, through: Self.stack) == nil, "a list that is shown was remembered")
        let never = ModelCheck(
            model: try ModelName("dc"), hosts: [try DNSName("a.test")], servers: [], cacheLifetime: .never)
        #expect(CacheKey(never, through: Self.stack) == nil, "a check without a lifetime was remembered")
    }

    @Test("[R8] other host, port, dialled address, stack, pins, window or certificate") func connectionKeys() throws {
        let chain = try WatchBench.pki.identity(.good).chain
        let pin = Pin(kind: .cert, digest: .sha256(of: [1]))
        func group(end: TimeInterval = 100, position: PinPosition = .leaf) -> PinGroup {
            PinGroup(
                [pin], position: position,
                window: TransitionWindow(start: Self.now, end: Self.now.addingTimeInterval(end)),
                pinExpiries: [pin: Self.now.addingTimeInterval(50)])
        }
        func key(
            _ target: String = "a.test", _ pins: [PinGroup]? = nil, connect: String? = nil, alpn: [String] = [],
            trust: TrustMode = .both, service: String? = nil, chain other: [[UInt8]]? = nil, after: TimeInterval = 0,
            demands: [any Policy] = []
        ) throws -> CacheKey {
            let endpoint: Endpoint? = try connect.map { try Endpoint($0) }
            let check = Check(
                target: try Target(target, connect: endpoint), service: service,
                anchors: try WatchBench.pki.anchors(), trust: trust, pins: pins ?? [group()], alpn: alpn,
                demands: demands)
            return CacheKey(
                check, through: Self.stack, chain: other ?? chain, at: Self.now.addingTimeInterval(after))
        }
        let different = [
            try key(), try key("b.test"), try key("a.test:8443"), try key(connect: "127.0.0.1:443"),
            try key("b.test", connect: "127.0.0.1:443"), try key("a.test:8443", connect: "127.0.0.1:443"),
            try key(service: "production/api"), try key(alpn: ["h2"]), try key(trust: .reference),
            try key("a.test", []),
            try key("a.test", [group(end: 101)]), try key("a.test", [group(position: .any)]),
            try key("a.test", [group(), group()]), try key(chain: chain.reversed()), try key(chain: [chain[0]]),
            // A pin that expired, then a window that closed.
            try key(after: 51), try key(after: 101), try key(demands: [ReportServerClock()]),
        ]
        #expect(Set(different).count == different.count)
        // Its last instant is within, for a pin as for a certificate.
        #expect(try key(after: 49) == key() && key(after: 50) == key())
    }

    /// The fields that affect nothing remembered, with the reasons.
    private static let free: Set<String> = [
        // The number of tries, and the result of an absent list in a watch.
        "ModelCheck.tries", "ModelCheck.absence",
        // The lifetime is compared with the memory's age when it is read.
        "ModelCheck.cacheLifetime", "Check.cacheLifetime",
        // It follows from the pins.
        "PinGroup.index",
        // Advice is by them, and verdicts are not.
        "PinGroup.named",
        // Each target has a memory of its own; the model has another key; both are judged again each time.
        // Its addresses are those that the targets dial.
        "Check.part",
        // So are the servers that records lead to.
        "Check.course",
        // They are among the pins.
        "Check.platformPins",
        "Check.alternates", "Check.model", "Check.certificates", "Check.timeout", "Check.expiresWithin",
        // Words of findings.
        "Check.pathTakers", "Check.fileWords",
        // Findings that do not depend on the answer.
        "ModelCheck.announcements",
    ]

    /// Every stored field of a check makes another key, or is in the list above. The fields come from reflection, so a
    /// new one that was forgotten fails.
    @Test func everyFieldMakesAnotherKey() throws {
        let anchors = try WatchBench.pki.anchors()
        let pin = Pin(kind: .cert, digest: .sha256(of: [1]))
        let group = PinGroup([pin], position: .leaf)
        let window = TransitionWindow(start: Self.now, end: Self.now.addingTimeInterval(100))
        func check(
            _ target: String = "a.test", service: String? = nil, anchors other: TrustAnchors? = nil,
            trust: TrustMode = .both, pins: [PinGroup]? = nil, minimumTLS: TLSVersion = .tls12, alpn: [String] = [],
            demands: [any Policy] = [], serverDate: ServerDateMode = .whenItDecides,
            clientIdentity: ClientIdentity? = nil, offer: ClientOffer? = nil,
            route: HandshakeRequest.Route = .direct
        ) throws -> Check {
            Check(
                target: try Target(target, connect: nil), service: service, anchors: other ?? anchors, trust: trust,
                pins: pins ?? [group], minimumTLS: minimumTLS, alpn: alpn, offer: offer, demands: demands,
                serverDate: serverDate, clientIdentity: clientIdentity, route: route)
        }
        func windowed(_ window: TransitionWindow) -> [PinGroup] { [PinGroup([pin], position: .leaf, window: window)] }
        func span(
            _ start: TimeInterval = 0, _ end: TimeInterval = 100, fallback: TransitionWindow.Fallback = .alternate,
            skew: Int = 300, missing: TransitionWindow.MissingDate = .strict
        ) -> TransitionWindow {
            TransitionWindow(
                start: Self.now.addingTimeInterval(start), end: Self.now.addingTimeInterval(end), fallback: fallback,
                maximumSkew: skew, onMissingDate: missing)
        }
        func proxy(_ host: String, _ anchors: TrustAnchors = .none) throws -> HandshakeRequest.Route {
            let endpoint = Endpoint(host: .dns(host), port: 443)
            return .proxy(HandshakeRequest.Proxy(.https, at: endpoint, anchors: anchors))
        }
        func proved(_ data: [UInt8]) throws -> Check {
            let record = MailHost.Record(usage: 3, selector: 1, matching: 0, data: data)
            var check = try check()
            check.mailHosts = [
                check.target.name: MailHost(owner: "_25._tcp.a.test", names: [], answer: .records([record]))
            ]
            return check
        }
        let chain = try WatchBench.pki.identity(.good).chain
        let secret: [UInt8] = [1, 2, 3]
        let identity = ClientIdentity(chain: chain, key: .pkcs8(Secret(copying: secret.span)))
        let offer = ClientOffer()
        let changes: [(field: String, from: Check, to: Check)] = [
            ("Check.target", try check(), try check("b.test")),
            ("Check.service", try check(), try check(service: "x")),
            ("Check.sendsName", try check(), try check().withoutServerName),
            ("Check.anchors", try check(), try check(anchors: TrustAnchors.none)),
            ("Check.anchors", try check(), try check(anchors: TrustAnchors(name: "all", stores: [anchors]))),
            (
                "Check.anchors", try check(anchors: TrustAnchors(name: "all", stores: [anchors])),
                try check(anchors: TrustAnchors(name: "all", stores: [anchors, anchors]))
            ),
            ("Check.trust", try check(), try check(trust: .native)),
            ("Check.pins", try check(), try check(pins: [])),
            ("Check.minimumTLS", try check(), try check(minimumTLS: .tls13)),
            ("Check.alpn", try check(), try check(alpn: ["h2"])),
            ("Check.demands", try check(), try check(demands: [ReportServerClock()])),
            ("Check.serverDate", try check(), try check(serverDate: .never)),
            ("Check.offer", try check(), try check(offer: ClientOffer(alpn: []))),
            ("Check.route", try check(), try check(route: .proxy(HandshakeRequest.Proxy("socks5h://p.test")))),
            ("Check.route", try check(), try check(route: .socket(path: "/run/a"))),
            ("Check.route", try check(route: .socket(path: "/run/a")), try check(route: .socket(path: "/run/b"))),
            ("Check.route", try check(route: proxy("a.test")), try check(route: proxy("b.test"))),
            ("Check.route", try check(route: proxy("a.test")), try check(route: proxy("a.test", anchors))),
            ("ClientOffer.versions", try check(offer: offer), try check(offer: ClientOffer(versions: []))),
            ("ClientOffer.cipherSuites", try check(offer: offer), try check(offer: ClientOffer(cipherSuites: []))),
            ("ClientOffer.groups", try check(offer: offer), try check(offer: ClientOffer(groups: []))),
            (
                "ClientOffer.signatureAlgorithms", try check(offer: offer),
                try check(offer: ClientOffer(signatureAlgorithms: []))
            ),
            ("ClientOffer.alpn", try check(offer: offer), try check(offer: ClientOffer(alpn: []))),
            (
                "ClientOffer.sessionTicket", try check(offer: offer),
                try check(offer: ClientOffer(sessionTicket: true))
            ),
            ("Check.mailHosts", try proved([1]), try proved([2])),
            ("Check.clientIdentity", try check(), try check(clientIdentity: identity)),
            ("PinGroup.pins", try check(), try check(pins: [PinGroup([], position: .leaf)])),
            ("PinGroup.position", try check(), try check(pins: [PinGroup([pin], position: .any)])),
            ("PinGroup.chain", try check(), try check(pins: [PinGroup([pin], position: .leaf, chain: .presented)])),
            ("PinGroup.window", try check(), try check(pins: windowed(window))),
            (
                "PinGroup.expiry", try check(),
                try check(pins: [PinGroup([pin], position: .leaf, expiry: .init(last: Self.now))])
            ),
            (
                "PinGroup.pinExpiries", try check(),
                try check(pins: [PinGroup([pin], position: .leaf, pinExpiries: [pin: Self.now])])
            ),
            (
                "PinGroup.isEnforced", try check(),
                try check(pins: [PinGroup([pin], position: .leaf, isEnforced: false)])
            ),
            ("TransitionWindow.start", try check(pins: windowed(span())), try check(pins: windowed(span(-1)))),
            ("TransitionWindow.end", try check(pins: windowed(span())), try check(pins: windowed(span(0, 101)))),
            (
                "TransitionWindow.fallback", try check(pins: windowed(span())),
                try check(pins: windowed(span(fallback: .system)))
            ),
            (
                "TransitionWindow.maximumSkew", try check(pins: windowed(span())),
                try check(pins: windowed(span(skew: 301)))
            ),
            (
                "TransitionWindow.onMissingDate", try check(pins: windowed(span())),
                try check(pins: windowed(span(missing: .lenient)))
            ),
        ]
        for (field, from, to) in changes {
            let keys = [from, to].map { CacheKey($0, through: Self.stack, chain: chain, at: Self.now) }
            #expect(keys[0] != keys[1], "\(field)")
        }
        try Self.expect(changes.map(\.field), coverFieldsOf: [try check(), group, window, offer])
    }

    /// The same for a DNS check.
    @Test func everyFieldOfAModelCheckMakesAnotherKey() throws {
        let server = Endpoint(host: .ip(.loopback4), port: 53)
        let https = try DoHServer("https://dns.test/q", anchors: .none)
        let tls = try DNSQuery.TLSServer("tls://dns.test", anchors: .none)
        let key = PinDigest.sha256(of: [1])
        let anchor = try DNSAnchor("test. IN DS 1 13 2 " + String(repeating: "0F", count: 32))
        func check(
            model: String = "dc", host: String = "a.test", servers: [Endpoint]? = nil, httpsServers: [DoHServer] = [],
            tlsServers: [DNSQuery.TLSServer] = [], serverPins: Set<PinDigest> = [], ednsSize: UInt16? = 1232,
            dnssec: DNSSECPolicy = .off, anchors: [DNSAnchor] = [],
            strings: TXTStrings = .joined
        ) throws -> ModelCheck {
            ModelCheck(
                model: try ModelName(model), hosts: [try DNSName(host)], servers: servers ?? [server],
                httpsServers: httpsServers, tlsServers: tlsServers, serverPins: serverPins, ednsSize: ednsSize,
                dnssec: dnssec, anchors: anchors, strings: strings)
        }
        let changes: [(field: String, check: ModelCheck)] = [
            ("ModelCheck.model", try check(model: "other")), ("ModelCheck.hosts", try check(host: "b.test")),
            ("ModelCheck.servers", try check(servers: [])),
            ("ModelCheck.httpsServers", try check(httpsServers: [https])),
            ("ModelCheck.tlsServers", try check(tlsServers: [tls])),
            ("ModelCheck.serverPins", try check(serverPins: [key])),
            ("ModelCheck.ednsSize", try check(ednsSize: 4096)), ("ModelCheck.dnssec", try check(dnssec: .prefer)),
            ("ModelCheck.anchors", try check(anchors: [anchor])), ("ModelCheck.strings", try check(strings: .separate)),
        ]
        let plain = CacheKey(try check(), through: Self.stack)
        for (field, check) in changes { #expect(CacheKey(check, through: Self.stack) != plain, "\(field)") }
        try Self.expect(changes.map(\.field), coverFieldsOf: [try check()])
    }

    /// Every stored field of the values is named by a change, or free.
    private static func expect(_ fields: [String], coverFieldsOf values: [Any]) throws {
        for value in values {
            let stored = Mirror(reflecting: value).children.compactMap(\.label).map { "\(type(of: value)).\($0)" }
            #expect(!stored.isEmpty)
            #expect(Set(stored).subtracting(fields).subtracting(free) == [])
        }
    }
}
