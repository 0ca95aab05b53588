import Foundation
import ProbeConformance
import ProbeKit
import ProbeTestSupport
import Synchronization
import Testing

/// The suite over all backends at once, as `probe conformance` runs it.
@Suite(.bounded) struct ConformanceSuiteTests {
    @Test("[R42] every backend is as promised, and all are alike") func everyBackendIsAsPromisedAndAllAreAlike()
        async throws
    {
        let suite = ConformanceSuite(
            transports: try BackendsUnderTest.transports.map { try $0.get() }, resolvers: BackendsUnderTest.resolvers,
            validators: ValidatorsUnderTest.all.map(\.validator))
        let report = await suite.run()
        print(report.matrix)
        #expect(report.failures.isEmpty)
        #expect(report.differences.map(\.id).isEmpty)
        #expect(report.cases.reduce(0) { $0 + $1.cells.count } == suite.count)
        // Timestamps of the handshake are asked of those that can show them.
        for row in report.tls {
            let transports = try BackendsUnderTest.transports.map { try $0.get() }.filter { transport in
                !row.id.contains("/timestamps-") || transport.capabilities.contains(.handshakeSCTs)
            }
            #expect(row.cells.map(\.backend) == transports.map(\.identity.name), "\(row.id)")
        }
    }

    @Test("any number of cells may be in progress", arguments: [Int.min, 0, .max]) func concurrency(_ number: Int)
        async throws
    {
        let suite = ConformanceSuite(
            transports: [], resolvers: [CredulousResolver()], filter: "dns/lists/listed", concurrency: number)
        let report = await suite.run()
        #expect(report.isKept && suite.count == 1)
    }

    /// Many containers have no ::1.
    @Test func casesWithoutTheirAddressAreLeftOut() async throws {
        func suite(_ filter: String, canListen: (IPAddress) -> Bool) throws -> ConformanceSuite {
            ConformanceSuite(
                transports: [try BackendsUnderTest.transports[0].get()], resolvers: [CredulousResolver()],
                filter: filter,
                canListen: canListen)
        }
        let lacking = try suite("ipv6") { $0 != .loopback6 }
        #expect(
            lacking.leftOut == [
                "tls/names/ipv6", "tls/names/ipv6-written-out", "dns/transport/ipv6", "dns/https/ipv6",
            ])
        #expect(lacking.count == 0 && lacking.cases.isEmpty)
        let report = await lacking.run().addingLosses(transports: [], resolvers: [])
        #expect(report.matrix.hasSuffix("no address ::1: \(lacking.leftOut.joined(separator: ", "))"))
        #expect(ConformancePage(report).html.contains("<p>Left out, since this machine has no address ::1: tls/names/"))
        let whole = try suite("ipv6") { _ in true }
        #expect(whole.leftOut.isEmpty && whole.cases.count >= 3)
        #expect(try suite("names/ipv4") { $0 != .loopback6 }.leftOut.isEmpty)
    }

    @Test func progressCountsToTheEnd() async throws {
        let suite = ConformanceSuite(
            transports: [try BackendsUnderTest.transports[0].get()], resolvers: [], filter: "tls/pins/spki",
            concurrency: 2)
        let seen = Mutex<[Int]>([])
        let report = await suite.run { progress in
            #expect(progress.total == suite.count)
            seen.withLock { $0.append(progress.done) }
        }
        #expect(seen.withLock { $0 } == Array(1...suite.count))
        #expect(report.isKept)
        #expect(report.dns.isEmpty)
    }

    /// A transport without a case's capabilities is not tested by it, and reports that before it sends anything.
    @Test func whatIsNotDeclaredIsUnsupported() async throws {
        let real = try BackendsUnderTest.transports[0].get()
        let poor = LimitedTransport(real, without: [.alpn, .group])
        let report = await ConformanceSuite(transports: [real, poor], resolvers: [], filter: "handshake/").run()
        #expect(report.isKept, "\(report.failures)")
        #expect(report.cases.first { $0.id == "tls/handshake/alpn" }?.cells.map(\.outcome) == [.pass, .unsupported])
    }

    /// Its requests were asked again, and each promise is kept.
    @Test func aLostProgramBreaksAPromiseOfItsOwn() async throws {
        let report = await ConformanceSuite(transports: [], resolvers: []).run()
            .addingLosses(transports: [], resolvers: [("foo", "its program was lost 2 times: program-ended: x")])
        #expect(report.failures == ["foo: its program was lost 2 times: program-ended: x"])
        #expect(report.dns.map(\.id) == ["dns/program/lost"] && report.tls.isEmpty && !report.isKept)
        #expect(report.cases.allSatisfy { $0.cells.allSatisfy(\.isFault) })
        #expect(report.matrix.contains("Broken promises:\n  foo: its program was lost 2 times"))
    }

    @Test func linesAreObjectsWithEveryKey() async throws {
        let suite = ConformanceSuite(
            transports: try BackendsUnderTest.transports.map { try $0.get() }, resolvers: [],
            filter: "divergences/ends-now")
        let lines = await suite.run().lines
        #expect(lines.count == BackendsUnderTest.transports.count)
        let keys: Set = [
            "schema", "case", "sentence", "source", "backend", "outcome", "expected", "kept", "deviation", "failure",
            "seconds",
        ]
        for line in lines {
            let object = try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            #expect(Set(object.keys) == keys)
            #expect(object["kept"] as? Bool == true)
        }
    }
}

/// A transport that declares less than it can.
private struct LimitedTransport: Transport {
    private let real: any Transport
    let capabilities: Set<TransportCapability>
    let identity = BackendIdentity(name: "limited", library: "none", version: "0")

    init(_ real: any Transport, without missing: Set<TransportCapability>) {
        self.real = real
        capabilities = real.capabilities.subtracting(missing)
    }

    func handshake(_ request: HandshakeRequest) async -> HandshakeReport {
        var report = await real.handshake(request)
        report.group = nil
        return report
    }

    func evaluateTrust(_ question: TrustQuestion) async -> TrustReading { await real.evaluateTrust(question) }
    func readKey(ofCertificate certificate: [UInt8]) async -> KeyReading {
        await real.readKey(ofCertificate: certificate)
    }
}
