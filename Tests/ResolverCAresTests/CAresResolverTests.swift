import Foundation
import ProbeKit
import ProbeLab
import ProbePlatform
import ProbeTestSupport
import ResolverCAres
import Testing

/// Aspects that the suite's scenarios do not show: the packets sent, their reports, and the resources left behind.
@Suite(.bounded) struct CAresResolverTests {
    private let zone = LabDNSZone(.answer(.txt("dc,florida")))
    private let list = LabDNSMessage(answers: [.txt("florida")])

    private func query(
        _ servers: [Endpoint], name: DNSName? = nil, ednsSize: UInt16? = 1232, tries: Int = 1, seconds: Int = 60
    ) throws -> DNSQuery {
        DNSQuery(
            name: try name ?? DNSName("models.test"), servers: servers, ednsSize: ednsSize, tries: tries,
            deadline: .after(.seconds(seconds)))
    }

    @Test func identityNamesTheLoadedLibrary() {
        let identity = CAresResolver().identity
        #expect(identity.name == "cares")
        #expect(identity.library == "c-ares")
        #expect(identity.version.hasPrefix("1."))
    }

    // MARK: The packets sent

    @Test(arguments: [UInt16(1232), 512, 4096, nil])
    func queryAdvertisesWhatWasAsked(size: UInt16?) async throws {
        try await LabDNSServer.run(zone) { server in
            let report = await CAresResolver().resolve(try query([server.endpoint], ednsSize: size))
            #expect(server.queries.map(\.ednsSize) == [size])
            #expect(report.attempts.map(\.ednsSize) == [size])
            #expect(report.attempts.map(\.id) == server.queries.map(\.id))
            #expect(report.attempts.last?.native == .parsed(rcode: .noError, records: [[Array("dc,florida".utf8)]]))
        }
    }

    @Test func idsAndPortsAreUnpredictable() async throws {
        let resolver = CAresResolver()
        try await LabDNSServer.run(zone) { server in
            for _ in 0..<1000 { _ = await resolver.resolve(try query([server.endpoint])) }
            let queries = server.queries
            #expect(queries.count == 1000)
            #expect(Set(queries.map(\.id)).count > 960)
            #expect(Set(queries.map(\.sourcePort)).count > 900)
        }
    }

    /// A dot and a backslash within a label, and bytes that are not text.
    @Test func namesGoOutAsTheyAre() async throws {
        let name = try #require(
            DNSName(labels: [Array("a.b".utf8), Array("c\\d".utf8), [0xff, 0x20], Array("test".utf8)]))
        try await LabDNSServer.run(zone) { server in
            let report = await CAresResolver().resolve(try query([server.endpoint], name: name))
            #expect(server.queries.map(\.name) == [name])
            #expect(report.attempts.last?.reply != nil)
        }
    }

    @Test func serversOnIPv6() async throws {
        try need(.loopback6)
        try await LabDNSServer.run(zone, on: "::1") { server in
            let report = await CAresResolver().resolve(try query([server.endpoint]))
            #expect(report.attempts.last?.reply != nil)
            #expect(report.attempts.map(\.server) == ["[::1]:\(server.endpoint.port)"])
        }
    }

    @Test func eachTryHasAPortOfItsOwn() async throws {
        // A failure of the server lets the next try begin at once.
        try await LabDNSServer.run(LabDNSZone(.reply(LabDNSMessage(responseCode: .serverFailure)))) { server in
            let report = await CAresResolver().resolve(try query([server.endpoint], tries: 9, seconds: 1800))
            #expect(report.attempts.count == 9 && report.attempts.allSatisfy { $0.reply != nil })
            // A port that has been given back may be given to a later try.
            #expect(Set(server.queries.map(\.sourcePort)).count > 6)
        }
    }

    // MARK: The reports

    @Test func everyAttemptIsReported() async throws {
        let refusal = LabDNSMessage(responseCode: .formatError).with { $0.options = .none }
        let truncated = list.with { $0.truncation = .overUDP(keeping: 0) }
        let behaviour = LabDNSBehaviour.reply(refusal).with { $0.withoutEDNS = [.reply(truncated)] }
            .with { $0.streamed = [list] }
        try await LabDNSServer.run(LabDNSZone(behaviour)) { server in
            let report = await CAresResolver().resolve(try query([server.endpoint]))
            #expect(report.attempts.map(\.channel) == [.udp, .udp, .tcp])
            #expect(report.attempts.map(\.ednsSize) == [1232, nil, nil])
            #expect(report.attempts.allSatisfy { $0.reply != nil && $0.failure == nil })
            #expect(report.attempts.map(\.id) == server.queries.map(\.id))
        }
    }

    @Test func dropsAreReportedWithTheirReason() async throws {
        let behaviour = LabDNSBehaviour([
            .send([1, 2]), .send([]), .reply(list.with { $0.idOffset = 1 }),
            .reply(list.with { $0.question = .missing }), .reply(list.with { $0.cut = 12 }), .reply(list),
        ])
        try await LabDNSServer.run(LabDNSZone(behaviour)) { server in
            let report = await CAresResolver().resolve(try query([server.endpoint]))
            let dropped = try #require(report.attempts.first).dropped
            #expect(dropped.count == 5)
            #expect(
                dropped.prefix(3) == ["2 bytes are not a DNS message", "0 bytes are not a DNS message", "wrong id"])
            #expect(report.attempts.first?.reply != nil)
        }
    }

    @Test func anErrorCodeLeadsToTheNextServer() async throws {
        try await LabDNSServer.run(LabDNSZone(.reply(LabDNSMessage(responseCode: .refused)))) { refusing in
            try await LabDNSServer.run(LabDNSZone(.silence)) { silent in
                try await LabDNSServer.run(zone) { right in
                    let servers = [refusing, silent, right].map(\.endpoint)
                    let report = await CAresResolver().resolve(try query(servers, tries: 2, seconds: 10))
                    #expect(report.attempts.map(\.server) == servers.map(\.description))
                    #expect(report.attempts.map { $0.reply != nil } == [true, false, true])
                }
            }
        }
    }

    /// The first server's answer comes while c-ares waits for the second.
    @Test func aLateAnswerCounts() async throws {
        let isAsked = LabSignal()
        let late = LabDNSBehaviour([.await(isAsked), .reply(list)])
        try await LabDNSServer.run(LabDNSZone(late)) { slow in
            try await LabDNSServer.run(LabDNSZone(LabDNSBehaviour([.give(isAsked)]))) { silent in
                let servers = [slow, silent].map(\.endpoint)
                let report = await CAresResolver().resolve(try query(servers, seconds: 10))
                #expect(report.attempts.map(\.server) == [silent, slow].map(\.endpoint.description))
                #expect(report.attempts.last?.reply != nil)
                #expect(report.attempts.first?.failure?.code == .timeout)
            }
        }
    }

    // MARK: Impossible queries

    @Test func aServerGivenByNameIsRefused() async throws {
        let report = await CAresResolver().resolve(try query([Endpoint("dns.test:53")], tries: 3))
        #expect(report.attempts.map(\.failure?.code) == [.badQuery])
    }

    @Test func theOthersAreAskedAllTheSame() async throws {
        try await LabDNSServer.run(zone) { server in
            let report = await CAresResolver().resolve(try query([Endpoint("dns.test:53"), server.endpoint]))
            #expect(report.attempts.map(\.failure?.code) == [.badQuery, nil])
        }
    }

    @Test func noServerIsNoAttempt() async throws {
        #expect(await CAresResolver().resolve(try query([])).attempts.isEmpty)
    }

    @Test(arguments: [["a\0b", "test"], ["service", "onion"]])
    func aNameItDoesNotAskForIsABadQuery(_ labels: [String]) async throws {
        let name = try #require(DNSName(labels: labels.map { Array($0.utf8) }))
        try await LabDNSServer.run(zone) { server in
            let report = await CAresResolver().resolve(try query([server.endpoint], name: name, tries: 2))
            #expect(report.attempts.map(\.failure?.code) == [.badQuery])
            // Another resolver may ask for it.
            #expect(report.attempts.map(\.failure?.cause) == [.unaskedName])
            #expect(server.queries.isEmpty)
        }
    }

    @Test func aSizeItHasNoRoomForIsABadQuery() async throws {
        try await LabDNSServer.run(zone) { server in
            let report = await CAresResolver().resolve(try query([server.endpoint], ednsSize: 4097))
            #expect(report.attempts.map(\.failure?.code) == [.badQuery])
            #expect(server.queries.isEmpty)
        }
    }

    // MARK: The resources left behind

    @Test func cancellationEndsTheWaitAndClosesTheSocket() async throws {
        try await LabDNSServer.run(LabDNSZone(.silence)) { server in
            let query = try query([server.endpoint], seconds: 30)
            let start = Stopwatch()
            let task = Task { await CAresResolver().resolve(query) }
            while server.queries.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            #expect(try Self.sockets(connectedTo: server) == 1)
            task.cancel()
            let report = await task.value
            #expect(report.attempts.map(\.failure?.code) == [.backendError])
            #expect(start.elapsed < .seconds(40))
            #expect(try Self.sockets(connectedTo: server) == 0)
        }
    }

    @Test func aCancelledTaskSendsAtMostOneQuery() async throws {
        try await LabDNSServer.run(LabDNSZone(.silence)) { server in
            let query = try query([server.endpoint], tries: 5, seconds: 30)
            let task = Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return await CAresResolver().resolve(query)
            }
            let report = await task.value
            #expect(report.attempts.count <= 1)
        }
    }

    @Test func theDeadlineClosesTheSocket() async throws {
        try await LabDNSServer.run(LabDNSZone(.silence)) { server in
            let report = await CAresResolver().resolve(try query([server.endpoint], seconds: 1))
            #expect(report.attempts.map(\.failure?.code) == [.timeout])
            #expect(try Self.sockets(connectedTo: server) == 0)
        }
    }

    /// The deadline holds, and the stored part of the flood is bounded.
    @Test func aFloodOfForgeriesIsWaitedOut() async throws {
        let forged = Array(repeating: LabDNSBehaviour.Action.reply(list.with { $0.idOffset = 1 }), count: 5000)
        try await LabDNSServer.run(LabDNSZone(LabDNSBehaviour(forged))) { server in
            let watch = Stopwatch()
            let report = await CAresResolver().resolve(try query([server.endpoint], seconds: 1))
            #expect(watch.elapsed < .seconds(20))
            let attempt = try #require(report.attempts.last)
            #expect(attempt.failure?.code == .timeout)
            #expect(attempt.dropped.count == 32)
        }
    }

    /// One resolver, many tasks: some answers at once, some over TCP, some never.
    @Test func manyQueriesAtOnce() async throws {
        let resolver = CAresResolver()
        let truncated = LabDNSZone(.reply(list.with { $0.truncation = .overUDP(keeping: 0) }))
        try await LabDNSServer.run(zone) { right in
            try await LabDNSServer.run(truncated) { truncating in
                try await LabDNSServer.run(LabDNSZone(.silence)) { silent in
                    let servers = [right, truncating, silent].map(\.endpoint)
                    let queries = try (0..<150).map { try query([servers[$0 % 3]], seconds: 20) }
                    let start = Stopwatch()
                    let answered = await withTaskGroup(of: Bool.self) { group in
                        for query in queries {
                            group.addTask { await resolver.resolve(query).attempts.last?.reply != nil }
                        }
                        return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                    }
                    #expect(answered == 100)
                    #expect(start.elapsed < .seconds(40))
                }
            }
        }
    }

    /// UDP and TCP sockets alike.
    @Test func noSocketIsLeft() async throws {
        let resolver = CAresResolver()
        try await LabDNSServer.run(LabDNSZone(.reply(list.with { $0.truncation = .overUDP(keeping: 0) }))) { server in
            for _ in 0..<200 { _ = await resolver.resolve(try query([server.endpoint])) }
            #expect(server.queries.count == 400)
            #expect(try Self.sockets(connectedTo: server) == 0)
        }
    }

    @Test func everyResolverGivesItsDescriptorBack() async throws {
        func events() throws -> Int {
            let folder = "/proc/self/fd"
            return try FileManager.default.contentsOfDirectory(atPath: folder).count { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\(name)")
                return target?.contains("eventfd") == true
            }
        }
        try await LabDNSServer.run(zone) { server in
            let before = try events()
            for _ in 0..<200 { _ = await CAresResolver().resolve(try query([server.endpoint])) }
            // Other tests have event loops too.
            #expect(try events() < before + 100)
        }
    }

    /// Returns the number of this process's sockets that are connected to a server.
    private static func sockets(connectedTo server: LabDNSServer) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").compactMap { Int32($0) }.count {
            descriptor in
            var address = sockaddr_in()
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let result = unsafe withUnsafeMutablePointer(to: &address) { pointer in
                unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    unsafe getpeername(descriptor, $0, &size)
                }
            }
            return result == 0 && address.sin_port == server.endpoint.port.bigEndian
        }
    }
}
