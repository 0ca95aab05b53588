import Foundation
import ProbeLab
import Testing

@testable import ProbeKit

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

    @Test("case 100: other model, names, order, servers, policy, reading or stack") func modelKeys() throws {
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
        // What says the same is the same; how often a server is asked decides nothing.
        #expect(try key("DC", ["A.TEST.", "b.test"], tries: 5) == key())
        let list = ModelCheck(model: nil, hosts: [try DNSName("a.test")], servers: [])
        #expect(CacheKey(list, through: Self.stack) == nil, "a list that is shown was remembered")
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
            try key(service: "production/api"), try key(alpn: ["h2"]), try key(trust: .reference),
            try key("a.test", []),
            try key("a.test", [group(end: 101)]), try key("a.test", [group(position: .any)]),
            try key("a.test", [group(), group()]), try key(chain: chain.reversed()), try key(chain: [chain[0]]),
            // A pin that expired, then a window that closed.
            try key(after: 51), try key(after: 101), try key(demands: [ServerTells()]),
        ]
        #expect(Set(different).count == different.count)
        #expect(try key(after: 49) == key())
    }
}
