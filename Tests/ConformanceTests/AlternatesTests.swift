import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeRun
import ProbeTestSupport
import Testing

/// Alternates through the real stacks (requirement 49).
@Suite(.bounded) struct AlternatesTests {
    private static let pki = LabPKI(epoch: .now)

    /// Probes one peer with another as its alternate.
    private func probe(
        _ first: LabPeer, then second: LabPeer = .tls(LabTLSRecipe(.good)), through transport: TransportUnderTest,
        pins: [PinGroup] = [], timeout: Duration = .seconds(1800)
    ) async throws -> (result: ProbeResult, connections: Int) {
        let transport = try transport.get()
        return try await LabServer.run(first, pki: Self.pki) { primary in
            try await LabServer.run(second, pki: Self.pki) { alternate in
                let check = Check(
                    target: try Target("good.test", connect: primary.endpoint),
                    alternates: [try Target("www.good.test", connect: alternate.endpoint)],
                    anchors: try Self.pki.anchors(), pins: pins, timeout: timeout)
                let results = await Prober().probe(check, through: [transport], resolvers: [])
                return (try #require(results.first), alternate.acceptedConnections)
            }
        }
    }

    @Test(
        "[R49] an alternate stands in for a target that does not answer",
        arguments: BackendsUnderTest.transports,
        [LabPeer.dead, .resetsAfterHello, .closesAfterHello, .closes])
    func alternatesStandIn(transport: TransportUnderTest, peer: LabPeer) async throws {
        let (result, connections) = try await probe(peer, through: transport)
        #expect(result.verdict.outcome == .pass, "\(result.verdict.findings)")
        #expect(connections == 1)
        #expect(result.verdict.findings.contains { $0.code == "alternate-used" })
        let attempts = try #require(result.evidence.connection?.attempts)
        #expect(attempts.map(\.target.name.description) == ["good.test", "www.good.test"])
        #expect(attempts.first?.failure?.code.isTransient == true)
    }

    @Test("[R49] a target that falls silent leaves time for the alternate", arguments: BackendsUnderTest.transports)
    func silenceLeavesTime(transport: TransportUnderTest) async throws {
        let (result, _) = try await probe(.silentAfterHello, through: transport, timeout: .seconds(20))
        #expect(result.verdict.outcome == .pass, "\(result.verdict.findings)")
    }

    @Test("[R49] a failed pin is final: the alternate is never contacted", arguments: BackendsUnderTest.transports)
    func pinFailuresAreFinal(transport: TransportUnderTest) async throws {
        let pin = Pin(kind: .spki, digest: .sha256(of: try Self.pki.identity(.p384).key.spki))
        let (result, connections) = try await probe(
            .tls(LabTLSRecipe(.good)), through: transport, pins: [PinGroup([pin], position: .leaf)])
        #expect(result.verdict.outcome == .pinMismatch)
        #expect(connections == 0)
    }

    @Test(
        "[R49] so is a chain that is not trusted, and an answer that is no TLS",
        arguments: BackendsUnderTest.transports,
        [
            (LabPeer.tls(LabTLSRecipe(.expired)), Outcome.trustFailed), (.plainHTTP, .handshakeFailed),
            (.alert(.handshakeFailure), .handshakeFailed),
        ])
    func answersAreFinal(transport: TransportUnderTest, peer: (LabPeer, Outcome)) async throws {
        let (result, connections) = try await probe(peer.0, through: transport)
        #expect(result.verdict.outcome == peer.1)
        #expect(connections == 0)
    }
}
