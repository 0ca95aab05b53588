import ProbeConformance
import ProbeDNS
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import ResolverLDNS
import Testing

/// Servers with a zone (RFC 4007): the interface has to reach the socket.
@Suite(.bounded) struct ZonedServerTests {
    private static let name = DNSScenario.name

    private func ask(_ server: String, through resolver: any Resolver) async throws -> (ModelReading, DNSReport) {
        let query = DNSQuery(
            name: Self.name, servers: [try .dnsServer(server)], tries: 1, deadline: .after(.seconds(1800)))
        #expect(query.requiredCapabilities.isSubset(of: resolver.capabilities))
        let report = await resolver.resolve(query)
        return (ModelReading(report, name: Self.name, model: try ModelName("florida")), report)
    }

    @Test(arguments: ResolverUnderTest.askingServers)
    func aServerOfTheLoopbackZoneAnswers(_ subject: ResolverUnderTest) async throws {
        try need(.loopback6)
        try await LabDNSServer.run(LabDNSZone(.answer(.txt("dc,florida"))), on: "::1") { server in
            for zone in ["lo", "1"] {
                let (reading, report) = try await ask(
                    "[::1%\(zone)]:\(server.endpoint.port)", through: subject.resolver)
                #expect(reading.outcome == .pass, "\(reading)")
                #expect(report.attempts.last?.server == "[::1%\(zone)]:\(server.endpoint.port)")
            }
        }
    }

    /// Linux rejects a link-local address without an interface with EINVAL, which would be a fault of the backend. With
    /// an interface that has no such neighbour, the address is unreachable, or does not answer.
    @Test(arguments: ResolverUnderTest.askingServers)
    func theInterfaceReachesTheSocket(_ subject: ResolverUnderTest) async throws {
        let (reading, _) = try await ask("[fe80::dead%lo]:5300", through: subject.resolver)
        guard case .indeterminate(let doubt) = reading else {
            Issue.record("\(reading)")
            return
        }
        #expect(["network-unreachable", "timeout", "gave-up"].contains(doubt.code), "\(doubt)")
    }

    @Test(arguments: ResolverUnderTest.askingServers)
    func anInterfaceThatIsNotThereIsNamed(_ subject: ResolverUnderTest) async throws {
        let (reading, _) = try await ask("[fe80::1%nowhere0]:53", through: subject.resolver)
        guard case .indeterminate(let doubt) = reading else {
            Issue.record("\(reading)")
            return
        }
        #expect(doubt.code == "bad-query" && doubt.message.contains("[fe80::1%nowhere0]:53"), "\(doubt)")
    }

    @Test func aResolverWithoutZonesIsRefusedByName() async throws {
        let check = ModelCheck(
            model: try ModelName("florida"), hosts: [Self.name], servers: [try .dnsServer("fe80::1%lo")])
        let result = await Prober().probe(
            check, subject: "\(Self.name)", through: [PlainResolver()], timeout: .seconds(1))
        let finding = try #require(result.first?.verdict.findings.first)
        #expect(
            finding.outcome == .unsupported && finding.message.contains("plain can't do zoned-servers"), "\(finding)")
    }
}

/// A resolver that knows no zones, and must not be asked.
private struct PlainResolver: Resolver {
    let identity = BackendIdentity(name: "plain", library: "none", version: "0")
    let capabilities: Set<ResolverCapability> = [.rawReply, .chosenServers, .tcpOnTruncation, .ednsSize]

    func resolve(_ query: DNSQuery) async -> DNSReport {
        Issue.record("it was asked")
        return DNSReport(attempts: [])
    }
}
