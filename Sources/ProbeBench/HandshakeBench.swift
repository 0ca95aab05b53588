public import ProbeKit
import ProbePlatform
import ProbeRun

/// `probe bench handshake`: a probe's processor time against a bare client from C, of the same library, to the same server.
public struct HandshakeBench: Sendable {
    let transports: [any Transport]
    let floors: [any HandshakeFloor.Type]
    let peer: BenchPeer
    let rounds: Int
    /// Loaded once, as a run does.
    private let anchors: TrustAnchors

    /// The number of handshakes of a round on each side.
    private static let count = 20
    private static let timeout = Duration.seconds(10)

    /// - Parameters:
    ///   - transports: the transports to measure; those without a floor are skipped.
    ///   - floors: the bare clients.
    ///   - peer: the servers, of another process.
    ///   - rounds: the number of pairs of measurements for a figure.
    public init(
        transports: [any Transport], floors: [any HandshakeFloor.Type], peer: BenchPeer, rounds: Int
    ) {
        self.transports = transports
        self.floors = floors
        self.peer = peer
        self.rounds = rounds
        anchors = peer.anchors
    }

    /// Runs all measurements, and reports each line as soon as it is known.
    ///
    /// - Throws: ``BenchError`` if a handshake does not succeed.
    public func run(_ report: (BenchLine) -> Void) async throws {
        for floor in floors {
            guard let transport = transports.first(where: { $0.name == floor.transport }) else { continue }
            try await measure(transport, try floor.init(anchor: Array(peer.anchor)), report)
        }
    }

    private func measure(
        _ transport: any Transport, _ floor: some HandshakeFloor, _ report: (BenchLine) -> Void
    ) async throws {
        let bare = {
            guard floor.handshake(port: peer.tlsPort, name: BenchPeer.name) else {
                throw BenchError("the bare client of \(transport.name) could not complete a handshake")
            }
        }
        let facts = try await ProcessMeasurement(
            rounds: rounds, count: Self.count, value: { try await handshake(through: transport) }, floor: bare)
        report(line("facts", transport, facts, target: .ratioAtMost(1.15)))
        // The server is ours, and a probe that does not pass ends the bench whatever the cause.
        let (prober, check) = (Prober(), try peer.check())
        let probe = try await ProcessMeasurement(
            rounds: rounds, count: Self.count,
            value: { try await peer.probe(check, with: prober, through: transport) }, floor: bare)
        report(line("probe", transport, probe, target: .ratioAtMost(1.5)))
    }

    private func line(
        _ subject: String, _ transport: any Transport, _ measured: ProcessMeasurement, target: BenchTarget
    ) -> BenchLine {
        BenchLine(
            "handshake", subject: subject, library: transport.name, value: measured.value,
            floor: measured.floor, unit: "ns", ratio: measured.ratio, target: target)
    }

    /// Collects the facts alone: the transport's report, including its own trust decision.
    private func handshake(through transport: any Transport) async throws {
        let report = await transport.handshake(
            HandshakeRequest(
                endpoint: BenchPeer.endpoint(peer.tlsPort), serverName: try ServerName(BenchPeer.name),
                anchors: anchors, instant: .now, deadline: .after(Self.timeout)))
        guard report.failure == nil, report.nativeTrust?.isAccepted == true else {
            throw BenchError(
                "\(transport.name) did not trust the server: \(report.failure?.description ?? "")")
        }
    }
}
