import ProbeKit
import ProbeLab
import ProbePins
import ProbePlatform
import ProbeRun
import ProbeTestSupport
import ProbeTrust
import Testing

@testable import ProbeServe

/// The pins that match, and those that wait for the next key.
@Suite(.bounded) struct PinMetricsTests {
    private static func pin(_ byte: UInt8) -> Pin { Pin(kind: .spki, digest: .sha256(of: [byte])) }

    private static let instant = Date(timeIntervalSince1970: 1_750_000_000)

    /// Returns the evidence of a leaf and its root, whose keys have the pins 0 and 1.
    private static func connection(at instant: Date = Self.instant) -> ConnectionEvidence {
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
            anchors: .none, instant: instant)
    }

    /// Returns the counts of one group by their states.
    private static func counts(
        _ pins: [Pin], marked: Set<Pin> = [], position: PinPosition = .leaf
    ) throws -> [String: Double] {
        try counts(PinGroup(pins, position: position), marked: marked)
    }

    private static func counts(
        _ group: PinGroup, marked: Set<Pin> = [], at instant: Date = Self.instant
    ) throws -> [String: Double] {
        let check = Check(target: try Target("good.test"), anchors: .none, pins: [group])
        var metrics = MetricSet()
        PinMetrics.add(check, backups: [marked], connection(at: instant), to: &metrics)
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

    /// The last second counts to its end, as it does for the verdict.
    @Test(
        "after its last second a pin is expired, and a group with all of its pins",
        arguments: [(-1, false), (0, false), (0.9, false), (1, true)] as [(Double, Bool)])
    func ends(seconds: Double, isOver: Bool) throws {
        let (served, other) = (Self.pin(0), Self.pin(8))
        let now = Self.instant.addingTimeInterval(seconds)
        let ending = PinGroup([served, other], position: .leaf, pinExpiries: [served: Self.instant])
        #expect(
            try Self.counts(ending, at: now)
                == (isOver
                    ? ["matching": 0, "backup": 1, "expired": 1] : ["matching": 1, "backup": 1, "expired": 0]))
        let group = PinGroup([served, other], position: .leaf, expiry: PinGroup.Expiry(last: Self.instant))
        #expect(
            try Self.counts(group, at: now)
                == (isOver
                    ? ["matching": 0, "expired": 2] : ["matching": 1, "backup": 1, "expired": 0]))
    }

    @Test("of several ends the earliest is shown, and of no end nothing") func earliestEnd() throws {
        let (first, second) = (Self.pin(0), Self.pin(8))
        let (early, late) = (Self.instant, Self.instant.addingTimeInterval(86_400))
        let groups = [
            PinGroup([first, second], position: .leaf, pinExpiries: [first: late, second: early]),
            PinGroup([first, second], position: .leaf),
            PinGroup(
                [first, second], position: .leaf, expiry: PinGroup.Expiry(last: early), pinExpiries: [second: late]),
        ]
        var metrics = MetricSet()
        let check = Check(target: try Target("good.test"), anchors: .none, pins: groups)
        PinMetrics.addEnds(check, seeing: nil, at: Self.instant, to: &metrics)
        #expect(metrics.families.map(\.name) == ["probe_pins_expiry_timestamp_seconds"])
        let ends = metrics.families.flatMap(\.samples).map { sample in
            [sample.labels.first { $0.name == "group" }?.value: sample.value]
        }
        #expect(ends == [["1": 1_750_000_000], ["3": 1_750_000_000]])
    }

    /// Returns the ends that are shown of one group.
    private static func ends(_ group: PinGroup) throws -> [Double] {
        let check = Check(target: try Target("good.test"), anchors: .none, pins: [group])
        var metrics = MetricSet()
        PinMetrics.addEnds(check, seeing: nil, at: instant.addingTimeInterval(0.9), to: &metrics)
        return metrics.families.flatMap(\.samples).map { $0.value - instant.timeIntervalSince1970 }
    }

    /// A pin that was replaced and has ended does not hide the end that matters; once all have ended, the last one is shown.
    @Test("an end that has passed is not shown while a pin is left") func passedEnds() throws {
        let (old, served) = (Self.pin(8), Self.pin(0))
        func ends(_ first: Double, _ second: Double?, group: Double? = nil) throws -> [Double] {
            var expiries = [old: Self.instant.addingTimeInterval(first)]
            if let second { expiries[served] = Self.instant.addingTimeInterval(second) }
            let expiry = group.map { PinGroup.Expiry(last: Self.instant.addingTimeInterval($0)) }
            return try Self.ends(PinGroup([old, served], position: .leaf, expiry: expiry, pinExpiries: expiries))
        }
        #expect(try ends(-1, 500) == [500])
        #expect(try ends(-1, nil) == [])
        #expect(try ends(-1, nil, group: 900) == [900])
        #expect(try ends(-9, -1) == [-1])
        #expect(try ends(-9, 500, group: -5) == [-5])
        // The last second counts to its end, as it does for the verdict.
        #expect(try ends(0, 500) == [0])
    }

    @Test("a set whose pins have all ended waits for no next key") func endedSet() throws {
        let (first, second) = (Self.pin(0), Self.pin(8))
        let past = Self.instant.addingTimeInterval(-1)
        let ended = PinGroup([first, second], position: .leaf, pinExpiries: [first: past, second: past])
        #expect(try Self.counts(ended) == ["matching": 0, "expired": 2])
        let left = PinGroup([first, second], position: .leaf, pinExpiries: [second: past])
        #expect(try Self.counts(left) == ["matching": 1, "backup": 0, "expired": 1])
    }

    /// The pins for another name are neither backups nor bound to end with these, and marks among them mark nothing here.
    @Test("of a list for many common names the pins for the leaf's count", arguments: ["good.test", "www.test"])
    func commonNames(name: String) throws {
        let leaf = try LabPKI(epoch: Self.instant).identity(.good).leaf
        let (served, next) = (Pin(kind: .cert, digest: .sha256(of: leaf)), Pin(kind: .cert, digest: .sha256(of: [8])))
        let other = Pin(kind: .cert, digest: .sha256(of: [9]))
        let (early, late) = (Self.instant.addingTimeInterval(86_400), Self.instant.addingTimeInterval(172_800))
        var group = PinGroup([served, next, other], position: .leaf, pinExpiries: [served: late, other: early])
        group.named = [name: PinGroup([served, next], position: .leaf, pinExpiries: [served: late])]
        let connection = ConnectionEvidence(
            transport: BackendIdentity(name: "test", library: "test", version: "1"), report: HandshakeReport(),
            missing: [], certificates: [CertificateEvidence(der: leaf, source: .presented, stackKey: .unreadable(""))],
            referenceTrust: .accepted(path: [leaf]), anchors: .none, instant: Self.instant)
        let check = Check(target: try Target("host.test"), anchors: .none, pins: [group])
        let isListed = name == "good.test"
        for (marked, waiting) in [([], isListed ? 1 : 2), ([other], 1)] as [(Set<Pin>, Double)] {
            var metrics = MetricSet()
            PinMetrics.add(check, backups: [marked], connection, to: &metrics)
            PinMetrics.addEnds(check, seeing: connection, at: connection.instant, to: &metrics)
            let values = metrics.families.flatMap(\.samples).map(\.value)
            #expect(values == [1, waiting, 0, (isListed ? late : early).timeIntervalSince1970])
        }
    }
}
