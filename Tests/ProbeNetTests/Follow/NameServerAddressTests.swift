import ProbeKit
import ProbeLab
import ProbeNet
import ProbeTestSupport
import Synchronization
import Testing

/// The addresses of a zone's name servers come from records of their names alone.
@Suite(.bounded) struct NameServerAddressTests {
    private func find(_ answers: [LabDNSRecord]) async throws -> NameServers {
        let (zone, server) = (try DNSName("a.test"), try DNSName("ns.a.test"))
        let behaviours: [DNSName: LabDNSBehaviour] = [
            zone: .reply(LabDNSMessage(answers: [.ns(server)])), server: .reply(LabDNSMessage(answers: answers)),
        ]
        return try await LabDNSServer.run(LabDNSZone(behaviours, otherwise: .reply(LabDNSMessage()))) { peer in
            try await NameServers.find(
                of: zone, through: RecordLookup(at: [peer.endpoint]), port: 53, by: .after(.seconds(1800)))
        }
    }

    @Test func foreignRecordsAreLeftOut() async throws {
        let foreign = try #require(IPAddress("192.0.2.1"))
        let found = try await find([
            .address(foreign, owner: try DNSName("b.test")), .address(.loopback4),
            .address(foreign, owner: try DNSName("ns.a.test.b.test")),
        ])
        #expect(found.servers.map(\.endpoint) == [Endpoint(host: .ip(.loopback4), port: 53)])
    }

    /// The lookups of the two families, in order, and the addresses that are found; none if the server is lost.
    @Test(
        arguments: [
            ([.reply(LabDNSMessage(answers: [.address(.loopback4)])), failing], [IPAddress.loopback4]),
            ([failing, .reply(LabDNSMessage(answers: [.address(.loopback6)]))], [.loopback6]),
            ([.reply(LabDNSMessage()), failing], []), ([failing, failing], []),
        ] as [([LabDNSBehaviour], [IPAddress])])
    func aFailureCountsWhereNothingIsFound(lookups: [LabDNSBehaviour], addresses: [IPAddress]) async throws {
        let (zone, server) = (try DNSName("a.test"), try DNSName("ns.a.test"))
        let asked = Mutex(0)
        let answers = LabDNSZone { name in
            guard name == server else { return .reply(LabDNSMessage(answers: [.ns(server)])) }
            let number = asked.withLock { asked in
                defer { asked += 1 }
                return asked
            }
            return lookups[min(number, lookups.count - 1)]
        }
        let found = try await LabDNSServer.run(answers) { peer in
            try await NameServers.find(
                of: zone, through: RecordLookup(at: [peer.endpoint]), port: 53, by: .after(.seconds(1800)))
        }
        #expect(found.servers.map(\.endpoint.host) == addresses.map { ServerName.ip($0) })
        #expect(found.lost.map(\.name) == (addresses.isEmpty ? [server] : []))
    }

    /// A name server without an address is one of them too, beside others and alone.
    @Test(arguments: [[IPAddress.loopback4], []])
    func aNameServerWithoutAnAddressIsLost(addresses: [IPAddress]) async throws {
        let (zone, server, bare) = (try DNSName("a.test"), try DNSName("ns.a.test"), try DNSName("bare.a.test"))
        let behaviours: [DNSName: LabDNSBehaviour] = [
            zone: .reply(LabDNSMessage(answers: [.ns(server), .ns(bare)])),
            server: .reply(LabDNSMessage(answers: addresses.map { .address($0) })),
        ]
        let found = try await LabDNSServer.run(LabDNSZone(behaviours, otherwise: .reply(LabDNSMessage()))) { peer in
            try await NameServers.find(
                of: zone, through: RecordLookup(at: [peer.endpoint]), port: 53, by: .after(.seconds(1800)))
        }
        #expect(found.servers.map(\.endpoint.host) == addresses.map { ServerName.ip($0) })
        #expect(found.lost.map(\.name) == [bare] + (addresses.isEmpty ? [server] : []))
        #expect(found.lost.first?.failure == DNSFailure(.unreachable, "bare.a.test has no address", cause: .noAddress))
    }

    private static let failing = LabDNSBehaviour.reply(LabDNSMessage(responseCode: .serverFailure))

    @Test func aliasesOfTheReplyAreFollowed() async throws {
        let (first, last) = (try DNSName("b.test"), try DNSName("c.test"))
        let found = try await find([
            .cname(first), .cname(last, owner: first), .address(.loopback4, owner: last),
            .address(.loopback6, owner: try DNSName("d.test")),
        ])
        #expect(found.servers.map(\.endpoint) == [Endpoint(host: .ip(.loopback4), port: 53)])
    }
}
