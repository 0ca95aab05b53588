import ProbeDNS
import ProbeKit
import ProbeRun
import ProbeTestSupport
import Synchronization
import Testing

/// A resolver whose capabilities are known only once it was asked, like a program that failed its first hello: a query that it
/// did not send for want of one is unsupported, and not a server's silence.
@Suite(.bounded) struct LateCapabilityTests {
    private final class LateResolver: Resolver {
        let identity = BackendIdentity(name: "late", library: "none", version: "0")
        private let isKnown = Mutex(false)

        var capabilities: Set<ResolverCapability> {
            let known: Set<ResolverCapability> = [.rawReply, .chosenServers, .tcpOnTruncation, .ednsSize]
            return isKnown.withLock { $0 } ? known : known.union([.dnssecValidation])
        }

        func resolve(_ query: DNSQuery) async -> DNSReport {
            isKnown.withLock { $0 = true }
            return DNSReport(attempts: [
                .unsent(
                    to: "scripted", over: .udp, ednsSize: nil, failure: DNSFailure(.badQuery, "it can't"),
                    duration: .zero)
            ])
        }
    }

    private func check(_ hosts: [DNSName]) throws -> ModelCheck {
        ModelCheck(
            model: try ModelName("florida"), hosts: hosts, servers: [try Endpoint("127.0.0.1", defaultPort: 53)],
            dnssec: .require)
    }

    @Test func oneNameIsUnsupported() async throws {
        let results = await Prober().probe(
            try check([try DNSName("models.test")]), subject: "models", through: [LateResolver()],
            timeout: .seconds(1200))
        #expect(results.map(\.verdict.outcome) == [.unsupported])
        #expect(results.first?.evidence.model?.missing == [.dnssecValidation])
    }

    @Test func manyNamesAreUnsupported() async throws {
        let names = try ["a.test", "b.test"].map { text throws in try DNSName(text) }
        let results = await Prober().probe(
            try check([]), names: names, through: LateResolver(), timeout: .seconds(1200))
        #expect(results.map(\.verdict.outcome) == [.unsupported, .unsupported])
        #expect(results.map(\.subject) == names.map(\.description))
    }
}
