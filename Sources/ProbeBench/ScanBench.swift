public import ProbeKit
import ProbePins
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
        // The server is ours, and a probe that does not pass ends the bench whatever the cause.
        let (prober, check) = (Prober(), try peer.check())
        let measured = try await ProcessMeasurement(
            rounds: rounds, count: 1, value: scan,
            floor: {
                for _ in 0..<Self.targets { try await peer.probe(check, with: prober, through: transport) }
            })
        let each = Double(Self.targets)
        report(
            BenchLine(
                "scan", subject: "target", library: transport.name, value: measured.value / each,
                floor: measured.floor / each, unit: "ns", ratio: measured.ratio))
    }
}

/// Many certificates in consecutive memory, all different, like those of a list of servers.
struct CertificateStream: Sendable {
    /// All of them.
    let bytes: [UInt8]
    /// The position of each certificate.
    let certificates: [Range<Int>]
    /// SHA-256 of each one's SubjectPublicKeyInfo.
    let digests: [PinDigest]

    /// Creates `count` certificates from the subjects in turn: each has other last bytes of the key, which the path
    /// does not look into.
    init(_ subjects: [HashSubject], count: Int) throws {
        var bytes: [UInt8] = []
        var certificates: [Range<Int>] = []
        var digests: [PinDigest] = []
        for number in 0..<count {
            let subject = subjects[number % subjects.count]
            var certificate = subject.certificate
            let slices = try CertificateSlices(certificate: certificate.span)
            for byte in 0..<4 {
                certificate[slices.rawKey.upperBound - 1 - byte] = UInt8(truncatingIfNeeded: number >> (8 * byte))
            }
            certificates.append(bytes.count..<bytes.count + certificate.count)
            bytes += certificate
            digests.append(.sha256(of: certificate[slices.spki]))
        }
        (self.bytes, self.certificates, self.digests) = (bytes, certificates, digests)
    }
}
