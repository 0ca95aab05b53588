import Foundation
import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import ResolverDoH
import Testing

@Suite(.bounded) struct DoHResolverTests {
    private static let pki = LabPKI(epoch: .now)
    private static let zone = LabDNSZone(.answer(.txt("dc,florida")))

    private static func query(
        _ servers: [DoHServer], plain: [Endpoint] = [], ednsSize: UInt16? = 1232, tries: Int = 1, instant: Date? = nil,
        timeout: Duration = .seconds(1800)
    ) throws -> DNSQuery {
        DNSQuery(
            name: try DNSName("models.test"), servers: plain, httpsServers: servers, ednsSize: ednsSize, tries: tries,
            instant: instant, deadline: .after(timeout))
    }

    private static func code(_ report: DNSReport) throws -> String? {
        guard case .indeterminate(let doubt) = TXTReader.read(report, name: try DNSName("models.test")) else {
            return nil
        }
        return doubt.code
    }

    @Test func identityNamesTheLoadedLibrary() throws {
        let identity = DoHResolver().identity
        #expect(identity.name == "doh")
        #expect(identity.library == "libcurl")
        #expect(identity.version.contains("(OpenSSL/"))
    }

    /// RFC 8484 section 4.1, and the query of every other resolver except for its id.
    @Test(arguments: [DoHServer.Method.post, .get], [UInt16(1232), nil])
    func theQueryIsTheCodecs(_ method: DoHServer.Method, ednsSize: UInt16?) async throws {
        try await LabDoHServer.run(Self.zone, pki: Self.pki) { server in
            let report = await (DoHResolver()).resolve(
                try Self.query([server.server(method)], ednsSize: ednsSize))
            #expect(try Self.code(report) == nil)
            let name = try DNSName("models.test")
            #expect(server.queries.map(\.bytes) == [DNSQueryMessage.bytes(name: name, id: 0, ednsSize: ednsSize)])
            #expect(server.queries.map(\.channel) == [.https])
            let attempt = try #require(report.attempts.first)
            #expect(attempt.channel == .https)
            #expect(attempt.server.hasPrefix("https://good.test:"))
        }
    }

    @Test func version6IsDialledToo() async throws {
        try need(.loopback6)
        try await LabDoHServer.run(Self.zone, pki: Self.pki, on: .loopback6) { server in
            let report = await (DoHResolver()).resolve(try Self.query([server.server()]))
            #expect(try Self.code(report) == nil)
        }
    }

    /// The URL's host may be an address, which the certificate has to name then.
    @Test func aServerMayBeAnAddress() async throws {
        let tls = LabTLSRecipe(.address)
        try await LabDoHServer.run(Self.zone, pki: Self.pki, tls: tls) { server in
            let named = try server.server(name: "127.0.0.1")
            let direct = try DoHServer(named.description, anchors: Self.pki.anchors())
            let report = await (DoHResolver()).resolve(try Self.query([direct]))
            #expect(try Self.code(report) == nil)
            let other = await (DoHResolver()).resolve(try Self.query([server.server(name: "127.0.0.2")]))
            #expect(try Self.code(other) == "tls-failed")
        }
    }

    /// Certificates are valid or not at the query's instant, whatever time it is.
    @Test func theClockIsTheQuerys() async throws {
        let instant = Date(timeIntervalSince1970: 1_500_000_000)
        try await LabDoHServer.run(Self.zone, pki: LabPKI(epoch: instant)) { server in
            let then = await (DoHResolver()).resolve(try Self.query([server.server()], instant: instant))
            #expect(try Self.code(then) == nil)
            let now = await (DoHResolver()).resolve(try Self.query([server.server()]))
            #expect(try Self.code(now) == "tls-failed")
            #expect(now.attempts.last?.failure?.cause == .certificate(.expired))
            #expect(server.queries.count == 1)
        }
    }

    /// No instant that a caller may think of is a trap.
    @Test(arguments: [Double.nan, .infinity, -.infinity, 1e300]) func instantsHaveARange(_ seconds: Double) async throws
    {
        try await LabDoHServer.run(Self.zone, pki: Self.pki) { server in
            let instant = Date(timeIntervalSince1970: seconds)
            let report = await (DoHResolver()).resolve(try Self.query([server.server()], instant: instant))
            #expect(try Self.code(report) == "bad-query")
            #expect(server.queries.isEmpty)
        }
    }

    /// A server of another PKI: a store loaded for one is not used for the other.
    @Test func anchorsAreTheServers() async throws {
        let other = LabPKI(epoch: .now)
        let resolver = DoHResolver()
        try await LabDoHServer.run(Self.zone, pki: Self.pki) { server in
            let right = try server.server()
            let wrong = try DoHServer(right.description, connect: server.endpoint, anchors: other.anchors())
            let none = try DoHServer(right.description, connect: server.endpoint, anchors: .none)
            let codes = try await [right, wrong, none, right].asyncMap { server in
                try Self.code(await resolver.resolve(try Self.query([server])))
            }
            #expect(codes == [nil, "tls-failed", "tls-failed", nil])
            let untrusted = await resolver.resolve(try Self.query([wrong])).attempts.last?.failure
            #expect(untrusted?.code == .tls && untrusted?.cause == nil)
        }
    }

    /// Whoever is on the way can write what nobody encrypted; the server has closed nothing.
    @Test(
        arguments: [
            ([21, 3, 3, 0, 2, 2, 40], "bad record type"),
            ([23, 3, 3, 0, 20] + [UInt8](repeating: 0xaa, count: 20), "bad record mac"),
        ] as [([UInt8], String)])
    func aBrokenRecordIsAFailureOfTLS(bytes: [UInt8], words: String) async throws {
        let recipe = LabTLSRecipe(.good, service: .plaintext(bytes))
        try await LabServer.run(.tls(recipe), pki: Self.pki) { server in
            let url = "https://good.test:\(server.endpoint.port)/dns-query"
            let asked = try DoHServer(url, connect: server.endpoint, anchors: Self.pki.anchors())
            let report = await (DoHResolver()).resolve(try Self.query([asked]))
            let failure = try #require(report.attempts.last?.failure)
            #expect(failure.code == .tls && failure.message.contains(words), "\(failure)")
        }
    }

    @Test func everyExchangeHasAConnectionOfItsOwn() async throws {
        let resolver = DoHResolver()
        try await LabDoHServer.run(Self.zone, pki: Self.pki) { server in
            for _ in 0..<3 { _ = await resolver.resolve(try Self.query([server.server()])) }
            #expect(Set(server.queries.map(\.sourcePort)).count == 3)
        }
    }

    @Test func aServerThatDoesNotKnowEDNSIsAskedWithout() async throws {
        let refusal = LabDNSMessage(responseCode: .formatError).with { $0.options = .none }
        let behaviour = LabDNSBehaviour.reply(refusal)
            .with { $0.withoutEDNS = [.reply(LabDNSMessage(answers: [.txt("florida")]))] }
        try await LabDoHServer.run(LabDNSZone(behaviour), pki: Self.pki) { server in
            let report = await (DoHResolver()).resolve(try Self.query([server.server()]))
            #expect(report.attempts.map(\.ednsSize) == [1232, nil])
            #expect(try Self.code(report) == nil)
        }
    }

    /// A client that follows it sends the query again: 307 keeps method and body.
    @Test func redirectsAreNotFollowed() async throws {
        let behaviour = LabDNSBehaviour.answer(.txt("dc")).with {
            $0.response.status = 307
            $0.response.fields = [("location", "/dns-query")]
        }
        try await LabDoHServer.run(LabDNSZone(behaviour), pki: Self.pki) { server in
            let report = await (DoHResolver()).resolve(try Self.query([server.server()]))
            #expect(try Self.code(report) == "http-status")
            #expect(report.attempts.last?.failure?.cause == .status(307))
            #expect(server.queries.count == 1)
        }
    }

    @Test func withoutServersNothingIsAsked() async throws {
        let report = await (DoHResolver()).resolve(try Self.query([]))
        #expect(report.attempts.isEmpty)
        #expect(try Self.code(report) == "bad-query")
    }

    /// libcurl takes `0x7f000001` for an address.
    @Test func aNameThatLibcurlReadsDifferentlyIsRefused() async throws {
        let server = try DoHServer(
            "https://0x7f000001.test/dns-query", connect: Endpoint("127.0.0.1:9"), anchors: .none)
        let report = await (DoHResolver()).resolve(try Self.query([server]))
        #expect(try Self.code(report) == "connection-refused")
        #expect(throws: InputError.self) { () throws in
            try DoHServer("https://0x7f000001/dns-query", connect: Endpoint("127.0.0.1:9"), anchors: .none)
        }
    }

    @Test func cancellationEndsTheWait() async throws {
        try await LabDoHServer.run(LabDNSZone(.silence), pki: Self.pki) { server in
            let resolver = DoHResolver()
            let query = try Self.query([server.server()], tries: 3, timeout: .seconds(60))
            let start = Stopwatch()
            let task = Task { await resolver.resolve(query) }
            while server.queries.isEmpty { try await Task.sleep(for: .milliseconds(5)) }
            task.cancel()
            let report = await task.value
            #expect(start.elapsed < .seconds(20))
            #expect(report.attempts.map(\.failure?.code) == [.backendError])
        }
    }

    @Test func aCancelledTaskAsksNothing() async throws {
        try await LabDoHServer.run(Self.zone, pki: Self.pki) { server in
            let resolver = DoHResolver()
            let query = try Self.query([server.server()])
            let report = await Task {
                unsafe withUnsafeCurrentTask { unsafe $0?.cancel() }
                return await resolver.resolve(query)
            }.value
            #expect(report.attempts.last?.reply == nil)
            #expect(server.queries.isEmpty)
        }
    }

    @Test func manyQueriesAtOnceAreAllAnswered() async throws {
        try await LabDoHServer.run(Self.zone, pki: Self.pki) { server in
            let resolver = DoHResolver()
            let query = try Self.query([server.server()])
            let replies = await Concurrently.map(Array(0..<100)) { _ in
                await resolver.resolve(query).attempts.last?.reply
            }
            #expect(replies.allSatisfy { $0 != nil })
            #expect(server.queries.count == 100)
            let ends = try KernelSocket.own(.tcp).filter { $0.port == server.endpoint.port }
            #expect(ends.count < 20, "connections that are kept are few")
        }
    }
}

extension Sequence {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
