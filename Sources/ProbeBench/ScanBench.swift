public import ProbeKit
import ProbePlatform
import ProbeRun

/// `probe bench scan`: the cost of a scan for each target, compared with the same probes one after the other.
public struct ScanBench: Sendable {
    let transport: any Transport
    let peer: BenchPeer
    let rounds: Int

    /// The number of targets of a round on each side.
    public static let targets = 100

    /// - Parameters:
    ///   - transport: the transport to scan through.
    ///   - peer: the servers, of another process.
    ///   - rounds: the number of pairs of measurements for a figure.
    public init(transport: any Transport, peer: BenchPeer, rounds: Int) {
        self.transport = transport
        self.peer = peer
        self.rounds = rounds
    }

    /// Measures, and hands the line on.
    ///
    /// - Parameter scan: scans ``targets`` targets, each of which is the peer.
    /// - Throws: ``BenchError`` if a probe does not pass.
    public func run(_ report: (BenchLine) -> Void, scan: () async throws -> Void) async throws {
        let (prober, check) = (Prober(), try peer.check())
        let measured = try await ProcessMeasurement(
            rounds: rounds, count: 1, value: scan,
            floor: {
                for _ in 0..<Self.targets { try await peer.probe(check, with: prober, through: transport) }
            })
        let each = Double(Self.targets)
        report(
            BenchLine(
                "scan", subject: "target", library: transport.identity.name, value: measured.value / each,
                floor: measured.floor / each, unit: "ns", ratio: measured.ratio))
    }
}
