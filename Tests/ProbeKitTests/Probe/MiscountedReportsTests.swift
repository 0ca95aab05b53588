import ProbeDNS
import ProbeKit
import ProbeRun
import ProbeTestSupport
import Testing

/// A resolver that reports on more or fewer names than it was asked about: nobody knows which report is whose.
@Suite(.bounded) struct MiscountedReportsTests {
    /// Sends nothing, and answers many queries with as many reports as it is made to.
    private struct MiscountingResolver: Resolver {
        let identity = BackendIdentity(name: "miscounting", library: "none", version: "0")
        let capabilities: Set<ResolverCapability> = [.rawReply, .chosenServers, .ednsSize, .tcpOnTruncation]
        let reports: Int

        func resolve(_ query: DNSQuery) async -> DNSReport {
            DNSReport(attempts: [
                .unsent(
                    to: "scripted", over: .udp, ednsSize: nil, failure: DNSFailure(.timeout, "as the script says"),
                    duration: .zero)
            ])
        }

        func resolve(_ queries: [DNSQuery], atOnce: Int) async -> [DNSReport] {
            var found: [DNSReport] = []
            for _ in 0..<reports { found.append(await resolve(queries[0])) }
            return found
        }
    }

    private func failures(_ reports: Int) async throws -> [DNSFailure?] {
        let names = try ["a", "b", "c"].map { text throws in try DNSName("\(text).models.test") }
        let check = ModelCheck(
            model: try ModelName("florida"), hosts: [], servers: [try Endpoint("127.0.0.1", defaultPort: 53)])
        let results = await Prober().probe(
            check, names: names, through: MiscountingResolver(reports: reports), timeout: .seconds(60))
        #expect(results.map(\.subject) == names.map(\.description))
        #expect(results.allSatisfy { $0.verdict.outcome == .dnsIndeterminate })
        return results.map { $0.evidence.model?.answers.first?.report.attempts.last?.failure }
    }

    @Test(arguments: [0, 1, 2, 4]) func everyNameHasAResult(reports: Int) async throws {
        let failures = try await failures(reports)
        #expect(failures.map { $0?.code } == [.backendError, .backendError, .backendError])
        #expect(failures.allSatisfy { $0?.message == "it reported on \(reports) of 3 names" })
    }

    @Test func asManyReportsAsNamesAreTaken() async throws {
        #expect(try await failures(3).map { $0?.code } == [.timeout, .timeout, .timeout])
    }
}
