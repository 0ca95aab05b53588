import Foundation
import ProbeKit
import ProbeLab
import ProbePins
import ProbeRun
import ProbeTestSupport
import ProbeTrust
import Synchronization
import Testing

/// One byte of the server's flight changed on the way, at every position of a record's header and at some within: the
/// evidence is then judged as unproven.
@Suite(.bounded) struct FlippedByteTests {
    private static let pki = LabPKI(epoch: Date(timeIntervalSince1970: 1_793_534_400))
    private static let width = 16

    @Test(arguments: BackendsUnderTest.transports, [TLSVersion.tls12, .tls13])
    func nothingUnprovenIsJudged(_ subject: TransportUnderTest, over version: TLSVersion) async throws {
        let transport = try subject.get()
        // Too old, expired and not pinned: everything would be an error if it were proved.
        let recipe = LabTLSRecipe(.expired, versions: version...version)
        try await LabServer.run(.tls(recipe), pki: Self.pki) { server in
            let flight = Mutex<[UInt8]>([])
            let whole = try await Self.verdict(transport, server.endpoint, nil) { bytes in
                flight.withLock { $0 += bytes }
            }
            #expect(whole.verdict.outcome == .trustFailed)
            let flips = Self.flips(of: flight.withLock { $0 })
            #expect(flips.count > 40)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (index, flip) in flips.enumerated() {
                    if index >= Self.width { try await group.next() }
                    group.addTask {
                        let result = try await Self.verdict(transport, server.endpoint, flip)
                        Self.expect(result, flip, version)
                    }
                }
                try await group.waitForAll()
            }
        }
    }

    private static func expect(_ result: ProbeResult, _ flip: FlippingRelay.Flip, _ version: TLSVersion) {
        let place = "byte \(flip.offset) with \(flip.mask): \(result.verdict.findings.map(\.message))"
        guard let report = result.evidence.connection?.report else {
            Issue.record("no connection")
            return
        }
        #expect(report.version == nil || report.version == version, "\(report.version?.rawValue ?? "") \(place)")
        // A header's version is not protected in TLS 1.3, and some stacks do not check it.
        guard let failure = report.failure else { return }
        #expect(!failure.isAfterHandshake, "\(place)")
        let decided = result.verdict.outcome
        // Bytes that two readers of ours read in two ways stay an error. A busy machine may learn nothing at all.
        let judged: [Outcome] = [.handshakeFailed, .readingsDisagree, .unreachable, .localOverload]
        #expect(judged.contains(decided), "\(decided) \(place)")
        #expect(result.verdict.findings.first?.code == failure.code.rawValue, "\(place)")
    }

    private static func verdict(
        _ transport: any Transport, _ server: Endpoint, _ flip: FlippingRelay.Flip?,
        heard: @escaping @Sendable ([UInt8]) -> Void = { _ in }
    ) async throws -> ProbeResult {
        let relay = try await FlippingRelay.start(to: server, flip, heard: heard)
        let check = Check(
            target: Target(name: try ServerName("good.test"), connect: relay.endpoint), anchors: try pki.anchors(),
            pins: [PinGroup([Pin(kind: .spki, digest: .sha256(of: [1]))], position: .any)], minimumTLS: .tls12,
            demands: [ATSPolicy()], timeout: .seconds(flip == nil ? 1800 : 2))
        let result = await Prober(clock: .fixed(pki.epoch)).probe(check, through: [transport], resolvers: []).first
        await relay.stop()
        return try #require(result)
    }

    /// Returns every byte of every record's header, the version's bytes to other versions, and some bytes between.
    private static func flips(of flight: [UInt8]) -> [FlippingRelay.Flip] {
        var flips: [FlippingRelay.Flip] = []
        var start = 0
        while start + 5 <= flight.count {
            for (byte, mask) in [(0, 1), (1, 1), (2, 1), (2, 2), (2, 3), (3, 1), (4, 1)] as [(Int, UInt8)] {
                flips.append(.init(offset: start + byte, mask: mask))
            }
            start += 5 + Int(flight[start + 3]) << 8 + Int(flight[start + 4])
        }
        flips += stride(from: 7, to: flight.count, by: 41).map { .init(offset: $0, mask: 0x10) }
        return flips
    }
}
