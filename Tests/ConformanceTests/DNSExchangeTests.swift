import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeNet
import ProbePlatform
import ProbeTestSupport
import ResolverLDNS
import ResolverUnbound
import Testing

/// The packets sent, and the resources left behind.
@Suite(.bounded) struct DNSExchangeTests {
    private let zone = LabDNSZone(.answer(.txt("dc,florida")))

    private func query(
        _ servers: [Endpoint], ednsSize: UInt16? = 1232, tries: Int = 1, seconds: Int = 60
    ) throws -> DNSQuery {
        DNSQuery(
            name: try DNSName("models.test"), servers: servers, ednsSize: ednsSize, tries: tries,
            deadline: .after(.seconds(seconds)))
    }

    @Test(arguments: [UInt16(1232), 512, 4096, nil])
    func queryAdvertisesWhatWasAsked(size: UInt16?) async throws {
        try await LabDNSServer.run(zone) { server in
            let report = await LDNSResolver().resolve(try query([server.endpoint], ednsSize: size))
            #expect(server.queries.map(\.ednsSize) == [size])
            #expect(server.queries.map(\.id) == report.attempts.map(\.id))
        }
    }

    @Test func ldnsAndSwiftWriteTheSameQuery() async throws {
        try await LabDNSServer.run(zone) { server in
            _ = await LDNSResolver().resolve(try query([server.endpoint]))
            _ = await DNSExchange(codec: SwiftDNSCodec()).resolve(try query([server.endpoint]))
            let bodies = server.queries.map { Array($0.bytes.dropFirst(2)) }
            #expect(bodies.count == 2)
            #expect(bodies.first == bodies.last)
        }
    }

    @Test func idsAndPortsAreUnpredictable() async throws {
        try await LabDNSServer.run(zone) { server in
            for _ in 0..<1000 { _ = await LDNSResolver().resolve(try query([server.endpoint])) }
            let queries = server.queries
            #expect(queries.count == 1000)
            // A thousand out of 65 536 repeat about seven times, ports out of a smaller range about twenty.
            #expect(Set(queries.map(\.id)).count > 960)
            #expect(Set(queries.map(\.sourcePort)).count > 900)
            let steps = zip(queries, queries.dropFirst()).map { $1.id &- $0.id }
            #expect(Set(steps).count > 900)
        }
    }

    @Test func serversOnIPv6() async throws {
        try need(.loopback6)
        try await LabDNSServer.run(zone, on: "::1") { server in
            let report = await LDNSResolver().resolve(try query([server.endpoint]))
            #expect(report.attempts.last?.reply != nil)
            #expect(report.attempts.last?.server == "[::1]:\(server.endpoint.port)")
        }
    }

    @Test func everyAttemptIsReported() async throws {
        let list = LabDNSMessage(answers: [.txt("florida")]).with { $0.truncation = .overUDP(keeping: 0) }
        let refusal = LabDNSMessage(responseCode: .formatError).with { $0.options = .none }
        let behaviour = LabDNSBehaviour.reply(refusal).with { $0.withoutEDNS = [.reply(list)] }
            .with { $0.streamed = [list] }
        try await LabDNSServer.run(LabDNSZone(behaviour)) { server in
            let report = await LDNSResolver().resolve(try query([server.endpoint]))
            #expect(report.attempts.map(\.channel) == [.udp, .udp, .tcp])
            #expect(report.attempts.map(\.ednsSize) == [1232, nil, nil])
        }
    }

    /// The first server's answer comes while the second is asked; the socket of that one is closed.
    @Test(arguments: [ResolverUnderTest(resolver: LDNSResolver()), ResolverUnderTest(resolver: UnboundResolver())])
    func aLateAnswerCounts(_ subject: ResolverUnderTest) async throws {
        let isAsked = LabSignal()
        let late = LabDNSBehaviour([.await(isAsked), .reply(LabDNSMessage(answers: [.txt("florida")]))])
        try await LabDNSServer.run(LabDNSZone(late)) { slow in
            try await LabDNSServer.run(LabDNSZone(LabDNSBehaviour([.give(isAsked)]))) { silent in
                let servers = [slow, silent].map(\.endpoint)
                let report = await subject.resolver.resolve(try query(servers))
                #expect(report.attempts.first?.server == silent.endpoint.description)
                #expect(report.attempts.first?.failure == DNSFailure.overtaken)
                #expect(report.attempts.last?.server == slow.endpoint.description)
                #expect(report.attempts.last?.reply != nil)
            }
        }
    }

    /// A server that only refers to others does not serve the name, and the next one is asked.
    @Test func aReferralLeadsToTheNextServer() async throws {
        let referral = LabDNSMessage(authorities: [.ns(try DNSName("ns.test"), zone: try DNSName("test"))])
            .with { $0.isAuthoritative = false }
        try await LabDNSServer.run(LabDNSZone(.reply(referral))) { lame in
            try await LabDNSServer.run(zone) { server in
                let servers = [lame, server].map(\.endpoint)
                let report = await LDNSResolver().resolve(try query(servers))
                #expect(report.attempts.map(\.server) == servers.map(\.description))
                #expect(!TXTReader.read(report, name: try DNSName("models.test")).isIndeterminate)
            }
        }
    }

    /// A malformed reply may be whole the next time.
    @Test(arguments: [ResolverUnderTest(resolver: LDNSResolver()), ResolverUnderTest(resolver: UnboundResolver())])
    func aMalformedReplyLeadsToTheNextServer(_ subject: ResolverUnderTest) async throws {
        let damaged = LabDNSMessage(answers: [.txt("florida")]).with { $0.tail = [0xde, 0xad] }
        try await LabDNSServer.run(LabDNSZone(.reply(damaged))) { first in
            try await LabDNSServer.run(zone) { server in
                let report = await subject.resolver.resolve(try query([first, server].map(\.endpoint)))
                #expect(report.attempts.last?.server == server.endpoint.description)
                #expect(!TXTReader.read(report, name: try DNSName("models.test")).isIndeterminate)
            }
        }
    }

    /// libunbound composes its packet with RA, whatever the server offers. No anchor covers the name.
    @Test func anEmptyReplyLeadsToTheNextServerOfRecords() async throws {
        let empty = LabDNSMessage().with { $0.isAuthoritative = false }
        let anchor = try DNSAnchor("other. IN DS 1 13 2 " + String(repeating: "0F", count: 32))
        try await LabDNSServer.run(LabDNSZone(.reply(empty))) { lame in
            try await LabDNSServer.run(zone) { server in
                for (servers, count) in [([lame, server], 1), ([lame], 0)] {
                    let source = UnboundResolver().records(
                        at: servers.map(\.endpoint), anchors: [anchor], instant: nil)
                    let found = try await source.proved(
                        DNSType.txt, of: try DNSName("models.test"), by: .after(.seconds(1800)))
                    #expect(found.message.answers.count == count)
                    #expect(!found.isSecure)
                }
            }
        }
    }

    /// If all tries end the same way, they are reported in the order they began.
    @Test func attemptsStandInTheirOrder() async throws {
        try await LabDNSServer.run(LabDNSZone(.silence)) { silent in
            try await LabDNSServer.run(LabDNSZone(.reply(LabDNSMessage(responseCode: .refused)))) { refusing in
                let servers = [silent, refusing].map(\.endpoint)
                let report = await LDNSResolver().resolve(try query(servers, tries: 2, seconds: 10))
                #expect(report.attempts.map(\.server) == [servers[0], servers[1], servers[0]].map(\.description))
                #expect(report.attempts.map(\.failure?.code) == [.timeout, nil, .timeout])
            }
        }
    }

    @Test(arguments: ResolverUnderTest.all.filter { $0.resolver.capabilities.contains(.chosenServers) })
    func mappedAddressesAreAsked(_ subject: ResolverUnderTest) async throws {
        try await LabDNSServer.run(zone) { server in
            let mapped = try Endpoint("[::ffff:127.0.0.1]:\(server.endpoint.port)")
            let report = await subject.resolver.resolve(try query([mapped]))
            #expect(report.attempts.last?.reply != nil)
            #expect(report.attempts.last?.server == mapped.description)
        }
    }

    @Test func dropsAreReportedWithTheirReason() async throws {
        let right = LabDNSMessage(answers: [.txt("florida")])
        let behaviour = LabDNSBehaviour([
            .send([1, 2]), .reply(right.with { $0.idOffset = 1 }), .reply(right.with { $0.isReply = false }),
            .reply(right),
        ])
        try await LabDNSServer.run(LabDNSZone(behaviour)) { server in
            let report = await LDNSResolver().resolve(try query([server.endpoint]))
            #expect(
                report.attempts.first?.dropped == ["2 bytes are not a DNS message", "wrong id", "a query, not a reply"])
        }
    }

    /// The deadline is far enough for only the cancellation to end the wait.
    @Test func cancellationEndsTheWaitAndClosesTheSocket() async throws {
        try await LabDNSServer.run(LabDNSZone(.silence)) { server in
            let query = try query([server.endpoint], seconds: 3600)
            let task = Task { await LDNSResolver().resolve(query) }
            try await eventually { !server.queries.isEmpty }
            let port = try #require(server.queries.first?.sourcePort)
            var socket: KernelSocket?
            try await eventually {
                socket = try KernelSocket.own(.udp).first { $0.port == port }
                return socket != nil
            }
            let held = try #require(socket)
            task.cancel()
            let report = await task.value
            #expect(report.attempts.last?.failure?.code == .backendError)
            try await eventually { try !KernelSocket.own(.udp).contains(held) }
        }
    }

    @Test func theDeadlineClosesTheSocket() async throws {
        try await LabDNSServer.run(LabDNSZone(.silence)) { server in
            let report = await LDNSResolver().resolve(try query([server.endpoint], seconds: 1))
            #expect(report.attempts.last?.failure?.code == .timeout)
            let port = try #require(server.queries.first?.sourcePort)
            try await eventually { try KernelSocket.own(.udp).allSatisfy { $0.port != port } }
        }
    }

    @Test func aServerGivenByNameIsRefused() async throws {
        let report = await LDNSResolver().resolve(try query([Endpoint("dns.test:53")], tries: 3))
        #expect(report.attempts.map(\.failure?.code) == [.badQuery])
    }

    @Test func noServerIsNoAttempt() async throws {
        let report = await LDNSResolver().resolve(try query([]))
        #expect(report.attempts.isEmpty)
        let name = try DNSName("models.test")
        guard case .indeterminate(let doubt) = TXTReader.read(report, name: name) else {
            Issue.record("a report without attempts says something")
            return
        }
        #expect(doubt.code == "bad-query")
    }

    @Test func identityNamesTheLoadedLibrary() {
        let identity = LDNSResolver().identity
        #expect(identity.name == "ldns")
        #expect(identity.version.hasPrefix("1."))
    }

    @Test func resolvConf() {
        let text = """
            # nameserver 192.0.2.1
            ;nameserver 192.0.2.2
            search example.com
            nameserver 192.0.2.3
              nameserver\t2001:db8::1 # second
            nameserver fe80::1%eth0
            nameserver fe80::2
            nameserver not-an-address
            nameserver 0.0.0.0
            nameserver ::
            nameserver
            """
        #expect(
            SystemResolvers.endpoints(in: text).map(\.description) == [
                "192.0.2.3:53", "[2001:db8::1]:53", "[fe80::1%eth0]:53", "127.0.0.1:53", "[::1]:53",
            ])
    }
}
