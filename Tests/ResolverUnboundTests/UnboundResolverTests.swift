import Foundation
import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

@testable import ResolverUnbound

@Suite(.bounded) struct UnboundResolverTests {
    private static let zone = LabDNSZone(.answer(.txt("dc,florida")))

    private static func query(
        _ name: String = "models.test", _ servers: [Endpoint], ednsSize: UInt16? = 1232, tries: Int = 1,
        dnssec: DNSSECPolicy = .off, anchors: [DNSAnchor] = [], timeout: Duration = .seconds(1800)
    ) throws -> DNSQuery {
        DNSQuery(
            name: try DNSName(name), servers: servers, ednsSize: ednsSize, tries: tries, dnssec: dnssec,
            anchors: anchors,
            deadline: .after(timeout))
    }

    private static func code(_ report: DNSReport, _ query: DNSQuery) -> String? {
        guard case .indeterminate(let doubt) = TXTReader.read(report, name: query.name) else { return nil }
        return doubt.code
    }

    /// libunbound answers for all of these itself, unless configured otherwise.
    @Test(arguments: [
        "models.test", "test", "models.invalid", "localhost", "models.localhost", "models.onion",
        "1.0.0.10.in-addr.arpa",
        "1.0.0.127.in-addr.arpa", "models.home.arpa", "models.example.com",
    ])
    func everyNameIsAskedFromTheServer(_ name: String) async throws {
        try await LabDNSServer.run(Self.zone) { server in
            let query = try Self.query(name, [server.endpoint])
            let report = await UnboundResolver().resolve(query)
            guard case .records(let records) = TXTReader.read(report, name: query.name) else {
                Issue.record("\(report)")
                return
            }
            #expect(records.map(\.strings) == [[Array("dc,florida".utf8)]])
            #expect(server.queries.contains { $0.isDNSSECOK && $0.ednsSize == 1232 })
            #expect(server.queries.allSatisfy { $0.name == query.name })
        }
    }

    @Test func version6IsAskedToo() async throws {
        try need(.loopback6)
        try await LabDNSServer.run(Self.zone, on: "::1") { server in
            let query = try Self.query("models.test", [server.endpoint])
            let report = await UnboundResolver().resolve(query)
            #expect(Self.code(report, query) == nil)
            #expect(report.attempts.last?.server == server.endpoint.description)
        }
    }

    @Test func withoutServersNothingIsAsked() async throws {
        let query = try Self.query("models.test", [])
        let report = await UnboundResolver().resolve(query)
        #expect(report.attempts.isEmpty)
        #expect(Self.code(report, query) == "bad-query")
    }

    /// A query that libunbound can't send is not sent in another form.
    @Test func impossibleQueriesAreNotSent() async throws {
        try await LabDNSServer.run(Self.zone) { server in
            let named = try Endpoint("localhost:\(server.endpoint.port)")
            for query in [
                try Self.query("models.test", [named]),
                try Self.query("models.test", [server.endpoint], dnssec: .require),
            ] {
                let report = await UnboundResolver().resolve(query)
                #expect(Self.code(report, query) == "bad-query")
            }
            #expect(server.queries.isEmpty)
        }
    }

    /// libunbound takes 0 for the clock, and has 32 bits for the rest.
    @Test(arguments: [-1.0, 0.0, 4_294_967_296.0]) func timesThatItHasNoNumberForAreRefused(seconds: Double) throws {
        let anchor = try DNSAnchor("test. IN DS 1 13 2 " + String(repeating: "0F", count: 32))
        let server = Endpoint(host: .ip(.loopback4), port: 53)
        func settings(_ seconds: Double, _ dnssec: DNSSECPolicy) throws -> UnboundSettings {
            let query = DNSQuery(
                name: try DNSName("models.test"), servers: [server], dnssec: dnssec, anchors: [anchor],
                instant: Date(timeIntervalSince1970: seconds), deadline: .after(.seconds(1800)))
            return try UnboundSettings(query, server: server)
        }
        let failure = #expect(throws: DNSFailure.self) { _ = try settings(seconds, .require) }
        #expect(failure?.code == .badQuery)
        #expect(throws: Never.self) { _ = try settings(1, .require) }
        #expect(throws: Never.self) { _ = try settings(0xffff_ffff, .require) }
        #expect(throws: Never.self) { _ = try settings(seconds, .off) }
    }

    /// libunbound hides the extended errors of an answer that it proves, too: a stale one is shown, and a forged one decides
    /// nothing (RFC 8914 sections 4.4, 4.18 and 4.20).
    @Test(arguments: [DNSSECPolicy.prefer, .require], [UInt16(3), 19, 17])
    func aProvedAnswerKeepsTheServersRemark(policy: DNSSECPolicy, code: UInt16) async throws {
        let (name, zone) = (try DNSName("models.test"), try DNSName("test"))
        let signer = LabDNSSigner(zone: zone, validity: Date.now - 86_400...Date.now + 86_400)
        let list = LabDNSMessage(answers: signer.signed([.txt("dc,florida")], owner: name))
            .with { $0.options = .records([.opt(extendedError: code)]) }
        let key = LabDNSMessage(answers: signer.signed([signer.dnskey], owner: zone))
        try await LabDNSServer.run(LabDNSZone([name: .reply(list), zone: .reply(key)])) { server in
            let query = try Self.query(
                "models.test", [server.endpoint], dnssec: policy, anchors: [signer.anchor])
            let report = await UnboundResolver().resolve(query)
            #expect(report.attempts.last?.dnssec == .secure, "\(report)")
            #expect(report.attempts.flatMap(\.extendedErrors).contains { $0.code == code }, "\(report)")
            let reading = ModelReading(report, name: name, model: nil, dnssec: policy)
            #expect(reading.outcome == .pass, "\(reading)")
            let answer = ModelEvidence.Answer(host: name, report: report, reading: reading, duration: .zero)
            #expect(answer.staleness?.code == (code == 17 ? nil : code))
        }
    }

    @Test func capabilitiesLeaveOutWhatItCannotDo() throws {
        let missing = try Self.query("models.test", [], ednsSize: nil).requiredCapabilities
            .subtracting(UnboundResolver().capabilities)
        #expect(missing == [.withoutEDNS])
    }

    /// A refusing forwarder does not make it ask another server: the root servers, for example.
    @Test func refusalsEndTheQuery() async throws {
        try await LabDNSServer.run(LabDNSZone(.reply(LabDNSMessage(responseCode: .refused)))) { server in
            let query = try Self.query("models.test", [server.endpoint], timeout: .seconds(60))
            let start = Stopwatch()
            let report = await UnboundResolver().resolve(query)
            // libunbound reports only that it gave up; the server's own reply gives the reason.
            #expect(report.attempts.first?.failure?.code == .gaveUp)
            #expect(Self.code(report, query) == "query-refused")
            #expect(start.elapsed < .seconds(30))
        }
    }

    @Test func serversAreAskedInTurn() async throws {
        try await LabDNSServer.run(LabDNSZone(.silence)) { silent in
            try await LabDNSServer.run(Self.zone) { server in
                let query = try Self.query("models.test", [silent.endpoint, server.endpoint], timeout: .seconds(8))
                let report = await UnboundResolver().resolve(query)
                #expect(Self.code(report, query) == nil)
                let first = try #require(report.attempts.first)
                // libunbound gives up by itself on a busy machine, before our alarm.
                #expect([.timeout, .gaveUp].contains(first.failure?.code), "after \(first.duration): \(first)")
                #expect(first.server == silent.endpoint.description)
                #expect(report.attempts.last?.server == server.endpoint.description)
                #expect(report.attempts.last?.channel == .unknown)
            }
        }
    }

    /// libunbound gives up by itself if our alarm is late: for a silent server both mean the same.
    @Test func givingUpWhenTheTimeIsOverIsATimeout() {
        func failure(code: DNSAttempt.ResponseCode, isBogus: Bool = false, isLate: Bool) -> DNSFailure.Code? {
            UnboundAnswer(
                responseCode: code, packet: [], records: [], isSecure: false, isBogus: isBogus, reason: nil
            ).failure(isLate: isLate)?.code
        }
        #expect(failure(code: .serverFailure, isLate: true) == .timeout)
        #expect(failure(code: .serverFailure, isLate: false) == .gaveUp)
        #expect(failure(code: .serverFailure, isBogus: true, isLate: true) == nil)
        #expect(failure(code: .noError, isLate: true) == nil)
    }

    @Test func cancellationEndsTheWait() async throws {
        try await LabDNSServer.run(LabDNSZone(.silence)) { server in
            let query = try Self.query("models.test", [server.endpoint], tries: 3, timeout: .seconds(60))
            let task = Task { await UnboundResolver().resolve(query) }
            while server.queries.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            let start = Stopwatch()
            task.cancel()
            let report = await task.value
            #expect(start.elapsed < .seconds(20))
            #expect(report.attempts.map(\.failure?.code) == [.backendError])
        }
    }

    /// It is over before it has begun, and nothing is sent.
    @Test func aCancelledTaskAsksNothing() async throws {
        try await LabDNSServer.run(LabDNSZone(.silence)) { server in
            let anchor = try DNSAnchor("test. IN DS 1 13 2 " + String(repeating: "00", count: 32))
            let query = try Self.query(
                "models.test", [server.endpoint], dnssec: .require, anchors: [anchor], timeout: .seconds(60))
            let report = await Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return await UnboundResolver().resolve(query)
            }.value
            #expect(report.attempts.last?.reply == nil)
            #expect(server.queries.isEmpty)
        }
    }

    /// Each query has a context with a thread and half a dozen descriptors: they have to be gone with it, however it ends.
    @Test func nothingIsLeftBehind() async throws {
        try await LabDNSServer.run(LabDNSZone([DNSName("models.test"): .answer(.txt("dc"))], otherwise: .silence)) {
            server in
            let before = try Self.held()
            for round in 0..<4 {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for index in 0..<25 {
                        let name = index % 5 == 0 ? "silent.test" : "models.test"
                        let query = try Self.query(
                            name, [server.endpoint], timeout: .milliseconds(index % 5 == 0 ? 100 : 5000))
                        group.addTask { _ = await UnboundResolver().resolve(query) }
                    }
                    if round == 3 { group.cancelAll() }
                    try await group.waitForAll()
                }
            }
            var after = try Self.held()
            let end = ContinuousClock.now + .seconds(1500)
            while after.descriptors - before.descriptors >= 60 || after.threads - before.threads >= 60, .now < end {
                try await Task.sleep(for: .milliseconds(100))
                after = try Self.held()
            }
            #expect(after.descriptors - before.descriptors < 60)
            #expect(after.threads - before.threads < 60)
        }
    }

    @Test func manyQueriesAtOnceAreAllAnswered() async throws {
        try await LabDNSServer.run(Self.zone) { server in
            let query = try Self.query("models.test", [server.endpoint])
            let start = Stopwatch()
            let codes = await Concurrently.map(Array(0..<100)) { _ in
                Self.code(await UnboundResolver().resolve(query), query)
            }
            #expect(codes == [String?](repeating: nil, count: 100))
            #expect(start.elapsed < .seconds(10))
            // libunbound's own queries and ours: ids differ, and so do ports.
            #expect(Set(server.queries.map(\.id)).count > 150)
            #expect(Set(server.queries.map(\.sourcePort)).count > 100)
        }
    }

    /// Other tests may be running: only much more than they hold, and for long, is a leak.
    private static func held() throws -> (descriptors: Int, threads: Int) {
        (
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count,
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count
        )
    }
}
