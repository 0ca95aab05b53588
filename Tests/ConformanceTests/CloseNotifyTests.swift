import Foundation
import ProbeKit
import ProbeLab
import ProbeRun
import ProbeTestSupport
import Testing

/// A connection that was complete ends with a close_notify (RFC 8446 section 6.1): without one a server takes its end for an
/// attack, and each probe leaves an error in its log.
@Suite(.bounded) struct CloseNotifyTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))

    @Test(
        arguments: BackendsUnderTest.transports,
        [(TLSVersion.tls12, nil), (.tls13, nil), (.tls12, "http/1.1"), (.tls13, "http/1.1"), (.tls13, "h2")]
            as [(TLSVersion, String?)])
    func connectionsEndAsTheyShould(_ transport: TransportUnderTest, _ way: (version: TLSVersion, asks: String?))
        async throws
    {
        let transport = try transport.get()
        let service = LabService.http(LabHTTPRecipe(dates: [.at(0)]))
        let recipe = LabTLSRecipe(
            .good, versions: way.version...way.version, applicationProtocols: way.asks.map { [$0] } ?? [],
            service: way.asks == nil ? .sink : service)
        try await LabServer.run(.tls(recipe), pki: Self.pki) { server in
            let check = Check(
                target: Target(name: try ServerName("good.test"), connect: server.endpoint),
                anchors: try Self.pki.anchors(), alpn: way.asks.map { [$0] } ?? [],
                serverDate: way.asks == nil ? .never : .always, timeout: .seconds(600))
            let prober = Prober(clock: .fixed(Self.pki.epoch))
            let result = try #require(await prober.probe(check, through: [transport], resolvers: []).first)
            #expect(result.verdict.outcome.isPass, "\(result.verdict.findings.map(\.message))")
            #expect((result.evidence.connection?.report.http != nil) == (way.asks != nil))
            while server.openConnections > 0 { try await Task.sleep(for: .milliseconds(5)) }
            #expect(server.acceptedConnections == 1)
            withKnownIssue("libcurl ends HTTP/2 without one", isIntermittent: true) {
                #expect(server.truncatedConnections == 0)
            } when: {
                transport.identity.name == "curl" && way.asks == "h2"
            }
        }
    }
}
