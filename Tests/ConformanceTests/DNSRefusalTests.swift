import ProbeConformance
import ProbeKit
import ProbeRun
import ProbeTestSupport
import ResolverLDNS
import Testing

/// A refused connection is called that however busy the machine is.
@Suite(.bounded) struct DNSRefusalTests {
    @Test func refusalsAreReported() async throws {
        let scenario = try #require(DNSScenario.all.first { $0.id == "dns/transport/truncated-no-tcp" })
        let failures = await Concurrently.map(Array(0..<64)) { _ in
            do { return try await scenario.run(with: LDNSResolver()).failure } catch { return "\(error)" }
        }
        #expect(failures.compactMap(\.self) == [])
    }
}
