import ProbeKit
import ProbePins
import ProbePlatform
import ProbeRun
import ProbeTestSupport
import Testing

@testable import ProbeServe

/// The pins that match, and those that wait for the next key.
@Suite(.bounded) struct PinMetricsTests {
    private static func pin(_ byte: UInt8) -> Pin { Pin(kind: .spki, digest: .sha256(of: [byte])) }

    /// Returns the evidence of a leaf and its root, whose keys have the pins 0 and 1.
    private static func connection() -> ConnectionEvidence {
        let certificates = [UInt8(0), 1].map { byte in
            CertificateEvidence(
                supposed: "certificate \(byte)",
                digests: CertificateDigests(
                    cert: .sha256(of: [byte, 1]), spki: pin(byte).digest, rawKey: .sha256(of: [byte, 2])),
                source: byte == 0 ? .presented : .anchor)
        }
        return ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "test", version: "1"), report: HandshakeReport(),
            missing: [], certificates: certificates, referenceTrust: .accepted(path: certificates.map(\.der)),
            anchors: .none, instant: Date(timeIntervalSince1970: 1_750_000_000))
    }

    /// Returns the counts of one group by their states.
    private static func counts(
        _ pins: [Pin], marked: Set<Pin> = [], position: PinPosition = .leaf
    ) throws -> [String: Double] {
        let check = Check(
            target: try Target("good.test"), anchors: .none, pins: [PinGroup(pins, position: position)])
        var metrics = MetricSet()
        PinMetrics.add(check, backups: [marked], connection(), to: &metrics)
        let samples = metrics.families.flatMap(\.samples).map { sample in
            (sample.labels.first { $0.name == "state" }?.value ?? "", sample.value)
        }
        return Dictionary(samples) { first, _ in first }
    }

    @Test("where backups are marked, another pin that nothing has is stale") func marked() throws {
        let (served, other, third) = (Self.pin(0), Self.pin(8), Self.pin(9))
        #expect(try Self.counts([served, other]) == ["matching": 1, "backup": 1, "expired": 0])
        #expect(
            try Self.counts([served, other, third], marked: [other]) == ["matching": 1, "backup": 1, "expired": 0])
        // The server has the backup's key, and nothing is left for the next one.
        #expect(try Self.counts([other, served], marked: [served]) == ["matching": 1, "backup": 0, "expired": 0])
    }

    @Test("below a pinned CA the next key is accepted, and no pin has to wait for it") func authorities() throws {
        let (leaf, root, other) = (Self.pin(0), Self.pin(1), Self.pin(9))
        #expect(try Self.counts([leaf, root], position: .any) == ["matching": 2, "expired": 0])
        #expect(try Self.counts([root], position: .ca) == ["matching": 1, "expired": 0])
        #expect(try Self.counts([root, other], position: .ca) == ["matching": 1, "backup": 1, "expired": 0])
        #expect(try Self.counts([leaf, root]) == ["matching": 1, "backup": 1, "expired": 0])
    }
}
