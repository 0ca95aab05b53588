public import ProbeKit
import ProbePlatform
import ProbeRun

/// `probe bench dns`: a model list's processor time against a bare socket that asks the same server the same question.
public struct DNSBench: Sendable {
    let resolvers: [any Resolver]
    let peer: BenchPeer
    let rounds: Int

    private static let count = 20
    private static let timeout = Duration.seconds(10)

    /// - Parameters:
    ///   - resolvers: the resolvers to measure; those that do not ask over UDP are skipped.
    ///   - peer: the servers, of another process.
    ///   - rounds: the number of pairs of measurements for a figure.
    public init(resolvers: [any Resolver], peer: BenchPeer, rounds: Int) {
        self.resolvers = resolvers.filter { $0.capabilities.contains(.chosenServers) }
        self.peer = peer
        self.rounds = rounds
    }

    /// Runs all measurements, and reports each line as soon as it is known.
    ///
    /// - Throws: ``BenchError`` if the list is not found.
    public func run(_ report: (BenchLine) -> Void) async throws {
        let floor = try DatagramFloor(port: peer.dnsPort, name: try DNSName(BenchPeer.modelHost))
        for resolver in resolvers {
            let measured = try await ProcessMeasurement(
                rounds: rounds, count: Self.count, value: { try await look(through: resolver) }, floor: floor.ask)
            report(
                BenchLine(
                    "dns", subject: "model-list", library: resolver.identity.name, value: measured.value,
                    floor: measured.floor, unit: "ns", ratio: measured.ratio))
        }
    }

    private func look(through resolver: any Resolver) async throws {
        let check = ModelCheck(
            model: try ModelName(BenchPeer.model), hosts: [try DNSName(BenchPeer.modelHost)],
            servers: [BenchPeer.endpoint(peer.dnsPort)])
        let results = await Prober().probe(
            check, subject: BenchPeer.modelHost, through: [resolver], timeout: Self.timeout)
        guard results.allSatisfy({ $0.verdict.outcome == .pass }) else {
            throw BenchError("\(resolver.identity.name) came to \(results.map(\.verdict.outcome)) instead of pass")
        }
    }
}
